"""What happens in a house over the years, and what must hold in Home Assistant all the while."""

import json
import re

from proving.record import Failed
from proving.waiting import eventually

from .house import BRIDGE_DEVICE


def live(house):
    """The whole life, chapter by chapter."""
    mistakes_are_seen(house)
    move_in(house)
    for kind in house.kinds:
        kind.follow(house)
        kind.serve(house)
    boards_go_and_come_back(house)
    home_assistant_restarts(house)
    the_broker_restarts(house)
    the_bridge_restarts(house)
    names_change(house)
    devices_are_removed(house)
    the_prefix_changes(house)
    if house.form == "device":
        the_form_changes(house)
    nothing_is_complained_of(house)


def mistakes_are_seen(house):
    """Shows that the proof can fail."""
    topic = "homeassistant/sensor/proof/mistake/config"
    good = {"unique_id": "mistake", "name": "Mistake", "state_topic": "proof/mistake"}

    def unseen(is_seen, what):
        return [] if is_seen else [f"{what} is not seen"]

    def ignored():
        return house.home.ask("entities").get("mistake", {}).get("ignored_keys")

    def complaints():
        house.home.collect_complaints()
        return house.home.complaints

    claim = "mistakes would be seen: a key that is dropped silently, a value that is refused"
    with house.record.step(claim, is_about_machine=True):
        house.home.start()
        house.observer.publish(topic, {**good, "nonsense": 1}, retain=True)
        eventually(lambda: unseen(ignored() == ["nonsense"], "a dropped key"))
        house.observer.publish(topic, {**good, "state_class": "sideways"}, retain=True)
        eventually(lambda: unseen(complaints(), "a complaint"))
        house.observer.publish(topic, "", retain=True)
        eventually(lambda: unseen("mistake" not in house.home.ask("entities"), "the removal"))
        complaints()
        house.home.complaints = []


def move_in(house):
    with house.step("Home Assistant is there first, and the bridge announces every device and entity to it"):
        house.bridge.start()
        house.expect_inventory()
    with house.step("every entity is available and has its board's state"):
        house.expect_settled()
        house.home.expect(f"{BRIDGE_DEVICE}_version", state=bridge_version(house))


def boards_go_and_come_back(house):
    for kind in house.kinds:
        others = [other for other in house.kinds if other is not kind]
        with house.step(f"the {kind.kind} goes away: its entities are unavailable, nobody else's"):
            kind.go_away(house)
            house.expect_available(False, [kind])
            if others:
                house.expect_available(True, others)
            for entity in kind.all_entities(house):
                # A board that has not spoken yet was never seen.
                is_hidden = entity.hides_unknown and house.form == "components"
                if entity.outlives_board and not is_hidden:
                    house.home.expect_availability([kind.unique_id(entity.key)], True)
        with house.step(f"the {kind.kind} comes back, and so does its state"):
            kind.come_back(house)
            house.expect_settled()


def home_assistant_restarts(house):
    with house.step("Home Assistant restarts"):
        house.home.stop()
        house.home.start()
        house.expect_inventory()
        house.expect_settled()
    with house.step("Home Assistant dies, and what the boards do meanwhile is there when it is back"):
        house.home.kill()
        expected = change_unseen(house)
        house.home.start()
        house.expect_available(True)
        expect_states(house, expected)
        settle(house)
    with house.step("a new Home Assistant takes the old one's place: all is discovered from what is retained"):
        house.home.stop()
        house.home.forget()
        house.home.start()
        house.expect_inventory()
        house.expect_settled()


def the_broker_restarts(house):
    for claim, forgets in [
        ("the broker restarts", False),
        ("the broker restarts and has forgotten everything", True),
    ]:
        with house.step(claim):
            house.home.broker_goes()
            house.broker.stop(forgets)
            house.expect_available(False)
            expected = change_unseen(house)
            house.broker.start()
            house.expect_available(True)
            house.home.broker_is_back()
            expect_states(house, expected)
            settle(house)
            house.expect_inventory()
    with house.step("the broker forgets everything while Home Assistant is down too"):
        house.home.stop()
        house.broker.stop(forgets=True)
        house.broker.start()
        house.expect_online()
        house.home.start()
        house.expect_inventory()
        house.expect_settled()


def the_bridge_restarts(house):
    for claim, end in [
        ("the bridge stops: all unavailable; starts: all back with the boards' states", house.bridge.stop),
        ("the bridge is killed: all unavailable by its will; starts: all back", house.bridge.kill),
    ]:
        with house.step(claim):
            end()
            house.home.expect(f"{BRIDGE_DEVICE}_connection", state="off")
            house.expect_available(False)
            expected = change_unseen(house)
            house.bridge.start()
            house.home.expect(f"{BRIDGE_DEVICE}_connection", state="on")
            house.expect_available(True)
            expect_states(house, expected)
            settle(house)
            house.expect_inventory()


def names_change(house):
    for kind in house.kinds:
        with house.step(f"the {kind.kind} has another name: the device shows it, the entities stay"):
            before = house.home.ask("entities")
            house.bridge.devices[kind.slug]["name"] = "Übrig & Co"
            house.bridge.reload()
            expect_device_name(house, kind.identifier, "Übrig & Co")
            house.bridge.devices[kind.slug]["name"] = kind.name
            house.bridge.reload()
            expect_device_name(house, kind.identifier, kind.name)
            house.expect_inventory()
            house.expect_settled()
            after = house.home.ask("entities")
            if {one: entity["entity_id"] for one, entity in before.items()} != {
                    one: entity["entity_id"] for one, entity in after.items()}:
                raise Failed("the entities have other ids")
        with house.step(f"the {kind.kind} has another name and no id: a new device in place of the old one"):
            settings = house.bridge.devices[kind.slug]
            # Home Assistant remembers the area of a device that had this id before.
            another = f"another_{kind.slug}"
            house.bridge.devices[kind.slug] = {**settings, "id": another, "name": "Another"}
            house.bridge.reload()
            expect_devices(house, {BRIDGE_DEVICE, f"sketch2mqtt_main_{another}"} | {
                other.identifier for other in house.kinds if other is not kind})
            expect_entities(house, {f"sketch2mqtt_main_{another}_{entity.key}" for entity in kind.all_entities(house)})
            house.bridge.devices[kind.slug] = settings
            house.bridge.reload()
            house.expect_inventory()
            house.expect_settled()


def devices_are_removed(house):
    for kind in house.kinds:
        others = [other for other in house.kinds if other is not kind]
        with house.step(f"the {kind.kind} is taken out of the configuration: device and entities go, and come back"):
            settings = house.bridge.devices.pop(kind.slug)
            house.bridge.reload()
            house.expect_inventory(others)
            house.bridge.devices[kind.slug] = settings
            house.bridge.reload()
            house.expect_inventory()
            house.expect_settled()
        with house.step(f"the {kind.kind} is taken out while the bridge is down"):
            settings = house.bridge.devices.pop(kind.slug)
            house.bridge.stop()
            house.bridge.start()
            house.expect_inventory(others)
            house.bridge.devices[kind.slug] = settings
            house.bridge.reload()
            house.expect_inventory()
            house.expect_settled()


def the_prefix_changes(house):
    with house.step("another prefix: all goes from this Home Assistant, and nothing is left on the broker"):
        house.bridge.home_assistant["prefix"] = "elsewhere"
        house.bridge.stop()
        house.bridge.start()
        expect_devices(house, set())
        left = {topic for topic in house.discovery_topics() if not topic.startswith("elsewhere/")}
        if left:
            raise Failed(f"left over: {sorted(left)}")
    with house.step("the old prefix again: all is back, and nothing is left of the other"):
        del house.bridge.home_assistant["prefix"]
        house.bridge.stop()
        house.bridge.start()
        house.expect_inventory()
        house.expect_settled()
        left = {topic for topic in house.discovery_topics() if topic.startswith("elsewhere/")}
        if left:
            raise Failed(f"left over: {sorted(left)}")


def the_form_changes(house):
    """Home Assistant notes once for each device that a topic was cleared on which it had nothing."""
    for form, topics, claim in [
        ("components", r"[^/]+/[^/]+/[^/]+/[^/]+/config",
         "one message for each entity instead: the same entities, none twice"),
        ("device", r"[^/]+/(device|infrared/[^/]+)/[^/]+/config",
         "one message for each device again: the same entities, none twice"),
    ]:
        with house.step(claim):
            house.home.collect_complaints()
            house.form = form
            house.bridge.home_assistant["discovery"] = form
            house.bridge.stop()
            house.bridge.start()

            def others():
                wrong = {one for one in house.discovery_topics() if not re.fullmatch(topics, one)}
                return [f"left over: {sorted(wrong)}"] if wrong else []
            eventually(others)
            house.expect_inventory()
            house.expect_settled()
            house.home.collect_complaints()
            house.home.complaints = [
                one for one in house.home.complaints if "No device components to cleanup" not in one["text"]]


def nothing_is_complained_of(house):
    with house.step("not one warning or error of the mqtt integration, and no repair asked for"):
        house.home.collect_complaints()
        lines = [f"{one['level']} {one['logger']}: {one['text']}" for one in house.home.complaints]
        if lines or house.home.issues:
            raise Failed(*lines, *sorted(house.home.issues))


# ---- parts of chapters


def change_unseen(house):
    return {kind: kind.change_unseen(house) for kind in house.kinds}


def expect_states(house, expected):
    for kind, states in expected.items():
        kind.expect(house, **states)


def settle(house):
    """Every board as it was at the beginning."""
    for kind in house.kinds:
        kind.settle(house)
    house.expect_settled()


def expect_device_name(house, identifier, name):
    def wrong():
        found = house.home.ask("devices").get(identifier, {}).get("name")
        return [] if found == name else [f"{identifier} is called {found!r}, not {name!r}"]
    eventually(wrong)


def expect_devices(house, expected):
    def wrong():
        found = set(house.home.ask("devices"))
        return [] if found == expected else [f"devices: {sorted(found)}, not {sorted(expected)}"]
    eventually(wrong)


def expect_entities(house, expected):
    """That they are there: Home Assistant keeps a device that is taken away while it still adds to it."""
    def missing():
        return [f"there is no entity {one}" for one in sorted(expected - set(house.home.ask("entities")))]
    eventually(missing)


def bridge_version(house):
    payloads = house.observer.payloads("sketch2mqtt/bridge/main/info")
    return json.loads(payloads[-1])["version"]
