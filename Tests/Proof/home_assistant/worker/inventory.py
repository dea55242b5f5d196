"""The entities and devices of the mqtt integration, as Home Assistant has them in its registries."""

import importlib


class Inventory:
    def __init__(self, hass):
        from homeassistant.helpers import area_registry, device_registry, entity_registry
        self.hass = hass
        self.entity_registry = entity_registry.async_get(hass)
        self.device_registry = device_registry.async_get(hass)
        self.area_registry = area_registry.async_get(hass)

    # ---- entities

    def _registered(self):
        return [entry for entry in self.entity_registry.entities.values() if entry.platform == "mqtt"]

    def _find(self, unique_id):
        found = [entry for entry in self._registered() if entry.unique_id == unique_id]
        if len(found) > 1:
            raise ValueError(f"{unique_id} names {[entry.entity_id for entry in found]}")
        return found[0] if found else None

    def entity_id(self, unique_id):
        entry = self._find(unique_id)
        if entry is None:
            raise ValueError(f"there is no entity {unique_id}")
        return entry.entity_id

    def entity(self, unique_id):
        """What a person sees of it now; None when there is no such entity."""
        entry = self._find(unique_id)
        return self._described(entry) if entry else None

    def entities(self):
        """All of them, with the discovery keys that this version does not know."""
        found = {entry.unique_id: self._described(entry) for entry in self._registered()}
        discovered = self.hass.data["mqtt"].debug_info_entities
        for entity in found.values():
            data = discovered.get(entity["entity_id"], {}).get("discovery_data") or {}
            entity["ignored_keys"] = _ignored_keys(
                entity["domain"], _plain(data.get("discovery_payload")) or {})
        # One without a unique id would have no place in the registry; one that is being removed has left it.
        for entity_id in set(discovered) - {entity["entity_id"] for entity in found.values()}:
            found[f"unregistered {entity_id}"] = {}
        return found

    def _described(self, entry):
        state = self.hass.states.get(entry.entity_id)
        device = self.device_registry.async_get(entry.device_id) if entry.device_id else None
        return {
            "entity_id": entry.entity_id,
            "domain": entry.domain,
            "name": entry.original_name,
            "device_class": _plain(entry.device_class or entry.original_device_class),
            "unit": entry.unit_of_measurement,
            "category": _plain(entry.entity_category),
            "icon": entry.original_icon,
            "is_disabled": entry.disabled_by is not None,
            "has_entity_name": entry.has_entity_name,
            "capabilities": _plain(entry.capabilities) or {},
            "state": state.state if state else None,
            "attributes": _plain(state.attributes) if state else {},
            "device": self._identifier(device)}

    # ---- devices

    def devices(self):
        """By their identifiers."""
        items = list(self.device_registry.devices)
        # The keys of a mapping before 2026.9, the entries since.
        if items and isinstance(items[0], str):
            items = list(self.device_registry.devices.values())
        return {self._identifier(device): self._described_device(device) for device in items}

    def _described_device(self, device):
        described = {key: _plain(getattr(device, key, None)) for key in (
            "name", "manufacturer", "model", "sw_version", "connections")}
        via = self.device_registry.async_get(device.via_device_id) if device.via_device_id else None
        area = self.area_registry.async_get_area(device.area_id) if device.area_id else None
        return {**described, "via": self._identifier(via), "area": area.name if area else None}

    def _identifier(self, device):
        """Of two that follow each other at once with the same Bluetooth address, Home Assistant may make one device:
        then the one whose entities it has."""
        if device is None:
            return None
        found = sorted(one[1] for one in device.identifiers if one[0] == "mqtt")
        with_entities = [
            one for one in found if any(
                entry.device_id == device.id and entry.unique_id.startswith(f"{one}_")
                for entry in self._registered())]
        return next(iter(with_entities + found), None)

    # ---- what is wrong

    def issues(self):
        """Repairs that Home Assistant asks for; those about the installation itself are not ours."""
        from homeassistant.helpers import issue_registry
        return [
            f"{issue.domain}/{issue.issue_id} {issue.translation_placeholders or ''}"
            for issue in issue_registry.async_get(self.hass).issues.values()
            if issue.active and issue.domain != "homeassistant"]


def _ignored_keys(domain, payload):
    """What is left out when Home Assistant's own schema validates the payload: it drops that silently."""
    schema = importlib.import_module(f"homeassistant.components.mqtt.{domain}").DISCOVERY_SCHEMA
    try:
        kept = schema(dict(payload))
    except Exception as error:
        return [f"not valid: {error}"]
    # Handled before the schema is; the last is what `availability` is kept as.
    elsewhere = {"platform", "origin", "availability_topic"}
    return sorted(set(payload) - set(kept) - elsewhere)


def _plain(value):
    """As JSON can hold it."""
    if value is None or isinstance(value, (bool, str)):
        return getattr(value, "value", value)
    if hasattr(value, "items"):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, (set, frozenset)):
        return sorted((_plain(one) for one in value), key=str)
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    if hasattr(value, "value") and isinstance(value.value, (str, int)):
        return value.value
    return value if isinstance(value, (int, float)) else str(value)
