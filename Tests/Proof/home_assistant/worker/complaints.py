"""Warnings and errors of Home Assistant that are about what it was sent."""

import contextlib
import contextvars
import logging
import re

ABOUT_DATA = re.compile(
    r"homeassistant\.(components\.mqtt|helpers\.(entity|template|device_registry|entity_registry))|"
    r"homeassistant\.components\.(binary_sensor|button|cover|device_tracker|event|infrared|light|lock|number|"
    r"select|sensor|switch|text|update)\b")
"""Loggers of the mqtt integration, of its platforms, and of what they stand on."""

ABOUT_SLOWNESS = re.compile(
    r"is taking (over|longer)|took [\d.]+ seconds|[Tt]imed out (for|waiting)|Waiting (on|for) integrations|No ACK from")
"""What it says of a machine that has too much to do, whatever it was sent."""


class Complaints(logging.Handler):
    def __init__(self):
        super().__init__(logging.WARNING)
        self.records = []
        self.is_asking = contextvars.ContextVar("is_asking", default=False)

    @contextlib.contextmanager
    def ignored(self):
        """What is said inside is about our asking, not about the data."""
        token = self.is_asking.set(True)
        yield
        self.is_asking.reset(token)

    def emit(self, record):
        text = record.getMessage()
        if record.exc_info and record.exc_info[0]:
            text += "\n" + logging.Formatter().formatException(record.exc_info)
        is_about_mqtt = record.name.startswith("homeassistant") and "mqtt" in text.lower()
        if self.is_asking.get() or ABOUT_SLOWNESS.search(text) or not (ABOUT_DATA.match(record.name) or is_about_mqtt):
            return
        self.records.append(
            {"time": record.created, "level": record.levelname, "logger": record.name, "text": text})
