"""The TV volume leveller with a newer sketch and an infra-red receiver: a remote control of the house."""

from proving.waiting import eventually

from .kind import Kind
from .tv_volume import TVVolume
from ..entity import Entity

NEC = [9000, -4500] + [562, -562, 562, -1687] * 16 + [562]


class TVRemote(Kind):
    kind = "tv_volume (newer)"
    name = "Remote"
    area = "Living room"
    model = "TV volume leveller"
    extras = TVVolume.extras
    entities = TVVolume.entities + [
        Entity(
            "select", "code", "Code", icon="mdi:remote",
            capabilities={"options": ["volume_up", "volume_down", "mute", "power"]}),
        Entity("infrared", "infrared", "Infrared", device_class="emitter", icon="mdi:remote-tv", forms=("device",)),
        Entity(
            "infrared", "infrared_received", "Infrared received", device_class="receiver", icon="mdi:remote",
            forms=("device",))]
    settled = TVVolume.settled

    def move_in(self, house):
        self.address = house.boards.add(self.slug, "tv_remote")
        return {"ble": self.address}

    def configuration(self, link):
        return {**super().configuration(link), "kind": "tv_volume", "options": {"form": "lines"}}

    def serve(self, house):
        with house.step("play the codes that the newer board knows by name"):
            self.call(house, "button.press", "volume_up", "played volume_up")
            self.expect(house, last_key="up")
            self.call(house, "select.select_option", "code", "played mute", option="mute")
            self.expect(house, code="mute")
        if house.form != "device":
            return
        with house.step("send a code by the infrared emitter, and see one by the receiver"):
            since = house.boards.count
            house.home.send_infrared(self.unique_id("infrared"), NEC, 38000)
            house.boards.expect(f"{self.slug} played 38000 Hz: {' '.join(map(str, NEC))}", since)
            self.services["infrared"] = ["infrared.async_send_command"]
            house.home.watch_infrared(self.unique_id("infrared_received"))
            self.tell(house, "see b5,0;d562,1687,4500,9000;t00032010")

            def unlike():
                seen = house.home.seen_infrared()
                return [] if seen == [[[9000, -4500, 562, -1687, 562], None]] else [f"seen {seen}"]
            eventually(unlike)
            self.services["infrared_received"] = ["infrared.async_subscribe_receiver"]
