"""Every automation of the example, set off by what it waits for."""

import re
import time

from proving.record import Failed
from proving.waiting import until

from .home import ELSEWHERE, GARAGE, HOME, PHONE_STATE, example_files

SOON = 4
"""Seconds until the sun or the clock is where it is wanted."""


def run(house):
    """Those that wait for minutes are set off first."""
    house.home.serve("persistent_notification.dismiss_all")
    anna_leaves(house)
    the_sun(house)
    the_clock(house)
    doors(house)
    garden(house)
    rover_and_tv(house)
    drone(house)
    those_that_waited(house)
    anna_comes_home(house)
    a_person_reads(house)
    all_have_run(house)


def anna_leaves(house):
    home, boards = house.home, house.boards
    with house.record.step("Anna leaves, by OwnTracks: the garage will open for her, and the rover stops"):
        home.serve("number.set_value", entity_id="number.rover_throttle", value=40)
        home.expect_state("number.rover_throttle", 40)
        since = boards.count
        house.phone_is_at(ELSEWHERE)
        home.expect_state("person.anna", "not_home")
        home.expect_state("binary_sensor.garage_armed_anna", "on")
        boards.expect("rover received T=0", since)


def the_sun(house):
    home, boards = house.home, house.boards
    with house.record.step("the sun sets: the plug is on; the pet door stays, as its automation is switched off"):
        house.show("doors")
        house.press("automation.pet_door_at_night", "ha-control-switch", "Toggle", None)
        home.expect_state("automation.pet_door_at_night", "off")
        since = boards.count
        home.ask("move_the_sun", event="sunset", seconds=SOON)
        boards.expect("garden_plug appliance on", since)
        if any(line.startswith("pet_door received") for line in boards.lines[since:]):
            raise Failed("the pet door was told something")
    with house.record.step("the automation is on again: the pet door is locked at sunset, and unlocked at sunrise"):
        house.press("automation.pet_door_at_night", "ha-control-switch", "Toggle", None)
        home.expect_state("automation.pet_door_at_night", "on")
        for event, received, state in [("sunset", 1, "Locked"), ("sunrise", 0, "Unlocked")]:
            since = boards.count
            home.ask("move_the_sun", event=event, seconds=SOON)
            boards.expect(f"pet_door received {received}", since)
            house.browser.expect("lock.pet_door", state)


def the_clock(house):
    home, boards = house.home, house.boards

    def at(clock, automation):
        home.ask("move_the_clock", time=clock, seconds=SOON, automation=f"automation.{automation}")

    with house.record.step("at eleven the plug is off"):
        since = boards.count
        at("23:00", "garden_plug_by_the_sun")
        boards.expect("garden_plug appliance off", since)
    with house.record.step("the TV is to be quiet at ten, and as it was at eight"):
        at("22:00", "tv_quiet_at_night")
        home.expect_state("number.tv_target", -40)
        home.expect_state("switch.tv_levelling", "on")
        at("08:00", "tv_quiet_at_night")
        home.expect_state("number.tv_target", -25)
    with house.record.step("at one the rover is slow"):
        at("13:00", "rover_slow_in_the_afternoon")
        home.expect_state("select.rover_speed_profile", "slow")
        home.serve("select.select_option", entity_id="select.rover_speed_profile", option="normal")
    home.ask("set_the_clock")


def doors(house):
    home, boards = house.home, house.boards
    with house.record.step("a jammed latch is told, and taken back when it is free"):
        boards.tell("pet_door latch jammed")
        house.press("lock.pet_door", "ha-control-button", "Lock", "pet_door received 1")
        house.browser.expect("lock.pet_door", "Jammed")
        home.expect_notification("pet_door", "The latch is jammed.")
        boards.tell("pet_door latch free")
        house.browser.expect("lock.pet_door", "Locked")
        home.expect_notification("pet_door", None)
        house.press("lock.pet_door", "ha-control-button", "Unlock", "pet_door received 0")


def garden(house):
    home, boards = house.home, house.boards
    with house.record.step("a clash in the plug's schedule is told"):
        now = int(time.time())
        boards.tell(f"garden_plug slot 0 lamp {now - 60} 30 0")
        boards.tell(f"garden_plug slot 1 pump {now} 10 0")
        home.expect_notification("garden_plug", "overlap")
        boards.tell("garden_plug clear 1")
        boards.tell("garden_plug clear 0")
    with house.record.step("the glass house opens its roof when it is hot, and closes it when it is cool"):
        for temperature, position in [("30.0", 1), ("18.5", 0)]:
            since = boards.count
            boards.tell(f"glass_house set temperature {temperature}")
            boards.expect(f"glass_house received roof={position}", since)
    with house.record.step("a low battery, frost on the terrace, a word from the workbench"):
        boards.tell("greenhouse battery 12")
        home.expect_notification("greenhouse", "12 %")
        since = boards.count
        boards.tell("terrace temperature -3.5")
        boards.expect("terrace received L1", since)
        boards.tell("workbench say hello")
        home.expect_notification("workbench", "hello")


def rover_and_tv(house):
    home, boards = house.home, house.boards
    with house.record.step("the rover says that it stopped because it tips"):
        house.show("rover")
        house.press("switch.rover_stop_on_tipping", "ha-control-switch", "Toggle", None)
        home.expect_state("switch.rover_stop_on_tipping", "on")
        house.press("Slow", None, None, r"rover received T=\d+")
        boards.tell("rover tilt 2 0")
        home.expect_notification("rover", "tipping")
        house.browser.expect("event.rover_event", "tipping")
        boards.tell("rover tilt 0 0")
    with house.record.step("the TV does not hear its keys: levelling ends, and it is told"):
        boards.tell("tv tv off")
        home.serve("switch.turn_on", entity_id="switch.tv_levelling")

        def heard():
            house.observer.publish("sketch2mqtt/tv/level/set", "-5")
            return "tv" in home.ask("notifications")
        until(heard, every=0.2)
        home.expect_notification("tv", "changed nothing")
        home.expect_state("switch.tv_levelling", "off")
    with house.record.step("the phone rings: the TV is muted, and heard again after it"):
        for state in ("ringing", "idle"):
            since = boards.count
            house.observer.publish(PHONE_STATE, state)
            boards.expect("remote played mute", since)


def drone(house):
    home, boards = house.home, house.boards
    with house.record.step("the drone lands before its battery is empty, and says so when it is"):
        house.show("drone")
        house.press("button.drone_take_off", None, None, "drone stage flying")
        house.browser.expect("sensor.drone_activity", "hovering")
        since = boards.count
        boards.tell("drone battery 20")
        boards.expect("drone stage landed", since)
        house.browser.expect("sensor.drone_activity", "landed")
        boards.tell("drone battery 90")
        home.expect_state("sensor.drone_battery", 90)
        house.press("button.drone_take_off", None, None, "drone stage flying")
        boards.tell("drone battery 5")
        home.expect_notification("drone", "the battery is low")
        house.browser.expect("sensor.drone_activity", "landed")


def those_that_waited(house):
    home = house.home
    with house.record.step("two minutes after: the garage is still open, and Anna's keys are still at home"):
        home.expect_notification("garage_left_open", "still open")
        home.expect_notification("keys_forgotten", "still at home")


def anna_comes_home(house):
    home, boards = house.home, house.boards
    with house.record.step("Anna comes to the garage, by OwnTracks: it opens"):
        home.expect_state("cover.garage", "closed")
        since = boards.count
        house.phone_is_at(GARAGE)
        boards.expect("garage pulse, the door is opening", since)
        home.expect_state("binary_sensor.garage_armed_anna", "off")
    with house.record.step("opened once more before it is closed: it is refused, and told why"):
        house.show("doors")
        house.press("cover.garage", "ha-control-button", "Open cover", None)
        home.expect_notification("garage_refused", "Anna: ")
    with house.record.step("the keys go while Anna is at home: it is told"):
        house.phone_is_at(HOME)
        home.expect_state("person.anna", "home")
        boards.tell("keys power off")
        home.expect_notification("keys_gone", "The keys have gone")


def a_person_reads(house):
    with house.record.step("what was told stands in the page's list of notifications"):
        browser = house.browser
        browser.unfold_side_bar()
        browser.press_in_side_bar("Notifications", lambda: "Your keys are still at home" in browser.text())


def all_have_run(house):
    """None is left out above."""
    with house.record.step("every automation and script of the example has run"):
        states = house.home.ask("states")
        aliases = [alias for file in example_files()
                   for alias in re.findall(r"^ +alias: \"?(.+?)\"?$", file.read_text(), re.MULTILINE)]
        ran = {state["attributes"]["friendly_name"] for one, state in states.items()
               if one.startswith(("automation.", "script.")) and state["attributes"].get("last_triggered")}
        if missing := [alias for alias in aliases if alias not in ran]:
            raise Failed(*(f"{alias} did not run" for alias in missing))
