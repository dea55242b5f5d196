"""What somebody does who has boards and this dashboard."""

import re
import time

from home_assistant.kinds.drone import Phone
from proving.pages import PICTURES
from proving.record import Failed
from proving.waiting import eventually

from . import automations
from .home import HOME, example_files

PICTURES_OF_VIEWS = [
    "dashboard-doors.png", "dashboard-garden.png", "dashboard-rover.png", "dashboard-tv.png",
    "dashboard-drone.png"]

NAMED = re.compile(r"(?:entity(?:_id)?: |entities: \[|zone: |states\('|state_attr\(')([a-z_]+\.[a-z_0-9]+)")
"""Entities in the example's files."""


def live(house):
    move_in(house)
    if house.record.failed:
        return
    look(house)
    press_doors(house)
    press_garden(house)
    press_rover(house)
    press_tv(house)
    press_drone(house)
    automations.run(house)
    nothing_is_complained_of(house)


def move_in(house):
    with house.record.step("Home Assistant takes the example's files, and every entity that they name is there"):
        house.move_in()
        house.phone_is_at(HOME)
        house.home.expect_state("person.anna", "home")
        named = {entity for file in example_files() for entity in NAMED.findall(file.read_text())}

        def missing():
            states = house.home.ask("states")
            return [f"{one} is {states[one]['state'] if one in states else 'nowhere'}" for one in sorted(named)
                    if one not in states or states[one]["state"] == "unavailable"]
        eventually(missing)
        house.home.expect_state("device_tracker.keys", "home")
    with house.record.step("somebody logs in, and finds the boards in the side bar"):
        house.log_in()
        house.browser.press_in_side_bar("Boards", lambda: house.browser.ask("card", "lock.pet_door"))
        house.browser.fold_side_bar()


def look(house):
    browser = house.browser
    with house.record.step("mistakes would be seen: a card for what is not there, one of no known type"):
        browser.open(f"{house.home.address}/broken-dashboard")
        eventually(lambda: [] if len(browser.mistakes()) >= 2 else [f"only {browser.mistakes()} is seen"])
        browser.complaints()
    for view, cards in house.home.ask("views").items():
        with house.record.step(f"the view `{view}`: every card is shown, and none has a mistake"):
            house.show(view)
            eventually(lambda: [f"no card {one}" for one in cards if one not in browser.ask("shownCards")])
            if wrong := browser.mistakes():
                raise Failed(*wrong)


def press_doors(house):
    press, browser = house.press, house.browser
    house.show("doors")
    with house.record.step("tap the pet door's lock: the latch moves, and the card says so"):
        press("lock.pet_door", "ha-control-button", "Lock", "pet_door received 1")
        browser.expect("lock.pet_door", "Locked")
        browser.expect("binary_sensor.pet_door_latch", "Locked")
        press("lock.pet_door", "ha-control-button", "Unlock", "pet_door received 0")
        browser.expect("lock.pet_door", "Unlocked")
    with house.record.step("a card follows its board: the temperature at the pet door, the keys that are carried off"):
        house.boards.tell("pet_door temperature 7.5")
        browser.expect("sensor.pet_door_temperature", r"\b7\.5 °C")
        house.boards.tell("keys power off")
        browser.expect("device_tracker.keys", "Away")
        house.boards.tell("keys power on")
        browser.expect("device_tracker.keys", "Home")
    with house.record.step("open the garage: the drive runs, and the card tells it and who it was"):
        press("cover.garage", "ha-control-button", "Open cover", "garage pulse, the door is opening")
        browser.expect("cover.garage", r"Open\b")
        browser.expect("sensor.garage_last_opened_by", "Anna")
        browser.picture(PICTURES / "dashboard-doors.png")


def press_garden(house):
    press, browser = house.press, house.browser
    house.show("garden")
    with house.record.step("switch the plug: the appliance runs; choose its mode: it is automatic again"):
        press("switch.garden_plug", "ha-control-switch", "Toggle", "garden_plug appliance on")
        browser.expect("switch.garden_plug", r"\bOn\b")
        browser.expect("select.garden_plug_mode", "manual")
        since = house.boards.count
        browser.choose("select.garden_plug_mode", "automatic")
        house.boards.expect("garden_plug appliance off", since)
        browser.expect("switch.garden_plug", r"\bOff\b")
    with house.record.step("the plug's own schedule stands on the dashboard"):
        house.boards.tell(f"garden_plug slot 0 lamp {int(time.time()) - 60} 30 0")
        browser.expect("sensor.garden_plug_running", "lamp")
        browser.expect_text(r"lamp \w{3} \d\d:\d\d, 30 min")
    with house.record.step("a board that describes itself: its roof, its pump, a number, a choice"):
        press("cover.glass_house_roof", "ha-control-button", "Open cover", "glass_house received roof=1")
        browser.expect("cover.glass_house_roof", r"Open\b")
        press("switch.glass_house_pump", "ha-control-switch", "Toggle", "glass_house received pump=1")
        browser.expect("switch.glass_house_pump", r"\bOn\b")
        press("number.glass_house_target", "button", "Increment", r"glass_house received target=20\.5")
        browser.expect("number.glass_house_target", r"20\.5 °C")
        since = house.boards.count
        browser.choose("select.glass_house_mode", "away")
        house.boards.expect("glass_house received mode=2", since)
    with house.record.step("boards of the owner's own: lamps, a slider for brightness, a word to a UART"):
        press("switch.greenhouse_lamp", "ha-control-switch", "Toggle", "greenhouse received 01")
        browser.expect("switch.greenhouse_lamp", r"\bOn\b")
        since = house.boards.count
        browser.drag(browser.find("part", "number.terrace_brightness", "ha-control-slider", None), 0.05, 0.5)
        house.boards.expect(r"terrace received D1[23]\d", since)
        press("Say welcome", None, None, "workbench received welcome")
        browser.picture(PICTURES / "dashboard-garden.png")
    with house.record.step("the plug's schedule is empty again, and so is its card"):
        house.boards.tell("garden_plug clear 0")
        browser.expect_text("Nothing is scheduled")
        press("switch.greenhouse_lamp", "ha-control-switch", "Toggle", "greenhouse received 00")
        press("cover.glass_house_roof", "ha-control-button", "Close cover", "glass_house received roof=0")


def press_rover(house):
    press, browser = house.press, house.browser
    house.show("rover")
    with house.record.step("drag the rover's sliders: its wheels turn as they say, and the cards show it"):
        since = house.boards.count
        browser.drag(browser.find("part", "number.rover_throttle", "ha-control-slider", None), 0.02, 0.4)
        house.boards.expect("rover wheels forward 102 102", since)
        browser.expect("number.rover_throttle", "40%")
        since = house.boards.count
        browser.drag(browser.find("part", "number.rover_steering", "ha-control-slider", None), 0.5, 0.75)
        house.boards.expect("rover received R=50", since)
        browser.expect("number.rover_steering", "50%")
        browser.picture(PICTURES / "dashboard-rover.png")
    with house.record.step("STOP: its wheels stand"):
        press("STOP", None, None, "rover received T=0")
        browser.expect("number.rover_throttle", r"\b0%")
    with house.record.step("drive it by words, backward by the menu, and slower by its speed"):
        press("Fast", None, None, "rover received T=80")
        browser.expect("number.rover_throttle", "80%")
        since = house.boards.count
        browser.choose("select.rover_speed_profile", "slow")
        house.boards.expect("rover received T=40", since)
        browser.choose("select.rover_speed_profile", "normal")
        since = house.boards.count
        browser.choose("select.rover_direction", "backward")
        house.boards.expect("rover received B", since)
        browser.expect("number.rover_throttle", r"\b0%")


def press_tv(house):
    press, browser = house.press, house.browser
    house.show("tv")
    with house.record.step("press the TV's keys, drag its target, switch levelling on and off"):
        press("Louder", None, None, "tv volume 31")
        browser.expect("sensor.tv_last_key", "up")
        press("Quieter", None, None, "tv volume 29")
        browser.expect("sensor.tv_last_key", "down")
        browser.drag(browser.find("part", "number.tv_target", "ha-control-slider", None), 0.5, 0.4)
        browser.expect("number.tv_target", "-30 dB")
        press("switch.tv_levelling", "ha-control-switch", "Toggle", None)
        browser.expect("switch.tv_levelling", r"\bOn\b")
        house.observer.publish("sketch2mqtt/tv/level/set", "-31.5")
        browser.expect("sensor.tv_level", r"[−-]31\.5 dB")
        browser.picture(PICTURES / "dashboard-tv.png")
        press("switch.tv_levelling", "ha-control-switch", "Toggle", None)
        browser.expect("switch.tv_levelling", r"\bOff\b")


def press_drone(house):
    press, browser = house.press, house.browser
    house.show("drone")
    with house.record.step("the drone on the map: it rises, flies to the meadow and lands there, by one press"):
        with Phone(house.kinds["drone"], house):
            press("script.drone_visits_the_meadow", None, None, "drone stage flying")
            browser.expect("sensor.drone_activity", "flying")
            browser.expect("sensor.drone_distance", r"\d m")
            browser.picture(PICTURES / "dashboard-drone.png")
            browser.expect("sensor.drone_activity", "landed")


def nothing_is_complained_of(house):
    with house.record.step("neither Home Assistant nor its pages complain of anything"):
        house.home.collect_complaints()
        lines = [f"{one['level']} {one['logger']}: {one['text']}" for one in house.home.complaints]
        lines += house.browser.complaints()
        if lines or house.home.issues:
            raise Failed(*lines, *sorted(house.home.issues))
