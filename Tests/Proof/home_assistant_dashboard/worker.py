"""Home Assistant with its pages, an owner who can log in, and a sun and a clock that can be moved. Runs in Home
Assistant's Python.
"""

import datetime
import re
import sys
import types

from home_assistant.worker import __main__ as worker
from home_assistant.worker.complaints import Complaints

ABOUT_WHAT_IS_CONFIGURED = re.compile(
    r"homeassistant\.(config|components\.(automation|script|lovelace|frontend|person|zone|sun|persistent_notification))\b")
"""Loggers that tell of mistakes in the example's files."""

NOT_INSTALLED = {"pymicro_vad": "MicroVad", "pyspeex_noise": "AudioProcessor"}
"""What is for voices alone, has to be compiled, and is asked for when the pages list all services."""

SECONDS_OF_A_DEGREE = 240
"""By so much the sun is later one degree to the west."""


class DashboardComplaints(Complaints):
    def emit(self, record):
        if ABOUT_WHAT_IS_CONFIGURED.match(record.name):
            self.records.append({
                "time": record.created, "level": record.levelname, "logger": record.name,
                "text": record.getMessage()})
        else:
            super().emit(record)


class DashboardWorker(worker.Worker):
    def __init__(self, settings):
        super().__init__(settings)
        self.complaints = DashboardComplaints()

    async def add_owner(self, name, password):
        """A person who logs in."""
        from homeassistant.auth.const import GROUP_ID_ADMIN
        provider = self.hass.auth.get_auth_provider("homeassistant", None)
        await provider.async_initialize()
        await provider.async_add_auth(name, password)
        user = await self.hass.auth.async_create_user(name, group_ids=[GROUP_ID_ADMIN])
        credentials = await provider.async_get_or_create_credentials({"username": name})
        await self.hass.auth.async_link_user(user, credentials)

    async def states(self):
        """All of them, by their entities' ids."""
        return {state.entity_id: {"state": state.state, "attributes": _plain(state.attributes)}
                for state in self.hass.states.async_all()}

    async def views(self):
        """The example's dashboard: by their paths, what the cards of each view are known by."""
        from homeassistant.util.yaml import load_yaml_dict
        path = self.hass.config.path("sketch2mqtt/dashboard.yaml")
        dashboard = await self.hass.async_add_executor_job(load_yaml_dict, path)
        return {
            view["path"]: [
                card.get("entity") or card.get("name") or card["type"] for section in view["sections"]
                for card in section["cards"] if card["type"] not in ("heading", "conditional")]
            for view in dashboard["views"]}

    async def serve(self, service, data):
        domain, name = service.split(".")
        await self.hass.services.async_call(domain, name, data, blocking=True)

    async def notifications(self):
        """What stands in the page's list of notifications, by ids."""
        from homeassistant.components import persistent_notification
        found = self.hass.data.get(persistent_notification.DOMAIN, {})
        return {key: one["message"] for key, one in found.items()}

    async def move_the_sun(self, event, seconds):
        """The house moves along the equator to where the sun rises or sets in so many seconds."""
        from astral import Observer
        from homeassistant.helpers.sun import get_observer_astral_event_next
        now = datetime.datetime.now(datetime.UTC)
        longitude = 0.0
        for _ in range(6):
            at = get_observer_astral_event_next(Observer(0, longitude, 0), event, now - datetime.timedelta(hours=12))
            longitude += ((at - now).total_seconds() - seconds) / SECONDS_OF_A_DEGREE
            longitude = (longitude + 180) % 360 - 180
        await self.hass.config.async_update(latitude=0.0, longitude=longitude, elevation=0)

    async def set_the_clock(self):
        """As the configuration says."""
        from homeassistant.util import dt
        dt.set_default_time_zone(datetime.UTC)

    async def move_the_clock(self, time, seconds, automation):
        """It is so many seconds before a time of the day; an automation that waits for it begins anew."""
        from homeassistant.util import dt
        hour, minute = map(int, time.split(":"))
        now = datetime.datetime.now(datetime.UTC)
        wanted = now.replace(hour=hour, minute=minute, second=0, microsecond=0)
        offset = (wanted - now - datetime.timedelta(seconds=seconds)).total_seconds()
        offset = (offset + 43200) % 86400 - 43200
        dt.set_default_time_zone(datetime.timezone(datetime.timedelta(seconds=round(offset))))
        await self.serve("automation.turn_off", {"entity_id": automation})
        await self.serve("automation.turn_on", {"entity_id": automation})


def _plain(attributes):
    """What JSON can hold of them, and moments as text."""
    return {
        key: str(value) if isinstance(value, datetime.datetime) else value for key, value in attributes.items()
        if isinstance(value, (str, int, float, bool, datetime.datetime))}


if __name__ == "__main__":
    for module, name in NOT_INSTALLED.items():
        sys.modules[module] = types.ModuleType(module)
        setattr(sys.modules[module], name, object)
    worker.main(DashboardWorker)
