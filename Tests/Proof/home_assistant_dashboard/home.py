"""A Home Assistant with the files of examples/home-assistant, as their owner has copied them."""

import shutil

from home_assistant.client import HomeAssistant
from proving.matching import differences
from proving.processes import ROOT
from proving.waiting import eventually

EXAMPLES = ROOT / "examples/home-assistant"

PHONE_STATE = "phone/state"
"""Where the phone's app tells how it rings, in place of its own way."""

OWNER = "anna"
PASSWORD = "a word of her own"

HOME = {"latitude": 52.0, "longitude": 5.0}
GARAGE = {"latitude": 52.0, "longitude": 5.0015}
MEADOW = {"latitude": 52.50012, "longitude": 13.4}
ELSEWHERE = {"latitude": 52.1, "longitude": 5.1}

CONFIGURATION = f"""
frontend:
automation:
sun:
person:
  - id: anna
    name: Anna
    device_trackers: [device_tracker.anna_phone]
zone:
  - {{ name: Home, latitude: {HOME["latitude"]}, longitude: {HOME["longitude"]}, radius: 50, icon: "mdi:home" }}
  - {{ name: Garage, latitude: {GARAGE["latitude"]}, longitude: {GARAGE["longitude"]}, radius: 30 }}
  - {{ name: Meadow, latitude: {MEADOW["latitude"]}, longitude: {MEADOW["longitude"]}, radius: 2, icon: "mdi:flower" }}
mqtt:
  - sensor: {{ name: Phone Phone state, state_topic: {PHONE_STATE} }}
"""
"""What is the owner's own."""


def example_files():
    return sorted(EXAMPLES.rglob("*.yaml"))


class Home(HomeAssistant):
    worker = "home_assistant_dashboard.worker"

    def install_examples(self):
        """As `configuration.yaml` says."""
        shutil.copytree(EXAMPLES, self.folder / "config/sketch2mqtt")
        # The owner has a broken dashboard besides, that shows what a mistake looks like.
        (self.folder / "config/broken.yaml").write_text(BROKEN)

    def settings(self):
        text = (EXAMPLES / "configuration.yaml").read_text()
        # What the worker writes has the other lines of these.
        head, packages = "homeassistant:\n", "  packages: !include_dir_named sketch2mqtt/packages\n"
        if head + packages not in text:
            raise ValueError("the example's configuration is another one")
        broken = (
            "    broken-dashboard: { mode: yaml, title: Broken, filename: broken.yaml, show_in_sidebar: false }\n")
        return {
            "homeassistant": packages,
            "configuration": CONFIGURATION + text.replace(head + packages, "") + broken,
            "entries": [{
                "domain": "owntracks", "title": "OwnTracks",
                "data": {"webhook_id": "proof", "secret": "proof", "cloudhook": False}, "options": {}}],
            "stored": {"onboarding": {"done": ["user"]}}}

    # ---- what it has

    @property
    def address(self):
        return f"http://127.0.0.1:{self.http_port}"

    def serve(self, service, **data):
        self.ask("serve", service=service, data=data)

    def expect_state(self, entity_id, state, **attributes):
        def wrong():
            found = self.ask("states").get(entity_id)
            if found is None:
                return [f"there is no {entity_id}"]
            return differences({"state": state, "attributes": attributes}, found, entity_id)
        eventually(wrong)

    def expect_notification(self, identifier, message):
        """Whose message holds these words; None: there is none."""
        def wrong():
            found = self.ask("notifications").get(identifier)
            is_right = found is None if message is None else found is not None and message in found
            return [] if is_right else [f"notification {identifier}: {found!r}, not {message!r}"]
        eventually(wrong)


BROKEN = """
title: Broken
views:
  - title: Broken
    path: broken
    type: sections
    sections:
      - type: grid
        cards:
          - { type: tile, entity: lock.nowhere }
          - { type: no-such-card }
"""
