"""What an entity must be, and how it differs from that."""

from dataclasses import dataclass, field

from proving.matching import differences

NAMED_TWICE = {"object_id", "default_entity_id"}
"""Each version knows one of them and drops the other; the entity's id shows that it took one."""

NO_NUMBERS = ("timestamp", "date", "enum")
"""Classes of sensors whose states are no numbers."""


@dataclass
class Entity:
    """Of one property. The main entity of a device has no name of its own."""

    domain: str
    key: str
    name: str | None = None
    device_class: str | None = None
    unit: str | None = None
    state_class: str | None = None
    category: str | None = None
    icon: str | None = None
    is_assumed: bool = False
    capabilities: dict = field(default_factory=dict)
    forms: tuple = ("device", "components")
    """Of discovery, in which it is there."""
    outlives_board: bool = False
    """Whether it stays available while the board is away."""
    is_disabled: bool = False
    """Until its owner enables it: it has no state before."""

    @property
    def hides_unknown(self):
        """Versions before 2024.11 cannot show every platform's unknown: with one message for each entity it is
        unavailable instead. A word of the property's own that is called so is a word like others."""
        if "unknown" in self.capabilities.get("options", []):
            return False
        if self.domain == "sensor":
            is_numeric = self.unit or self.state_class or self.device_class not in (None, *NO_NUMBERS)
            return not is_numeric
        return self.domain in ("lock", "cover")

    def entity_id(self, device):
        return f"{self.domain}.{device}" + (f"_{self.key}" if self.name else "")

    def unlike(self, device, identifier, found, form):
        """Differences from what Home Assistant has in its place."""
        capabilities = self.capabilities
        if form == "components" and self.domain == "sensor":
            # Versions that need one message for each entity do not know a sensor's options.
            capabilities = {key: value for key, value in capabilities.items() if key != "options"}
        expected = {
            "entity_id": self.entity_id(device), "domain": self.domain, "name": self.name,
            "device_class": self.device_class, "unit": self.unit, "category": self.category,
            "icon": self.icon, "is_disabled": self.is_disabled, "has_entity_name": True, "device": identifier,
            "capabilities": capabilities}
        lines = differences(expected, found, self.key)
        # Of what is disabled Home Assistant does not keep what announced it.
        ignored = set() if self.is_disabled else set(found["ignored_keys"]) - NAMED_TWICE
        lines += [f"{self.key}: Home Assistant drops {key}" for key in sorted(ignored)]
        is_assumed = found["attributes"].get("assumed_state", False)
        lines += differences(self.is_assumed, is_assumed, f"{self.key}.assumed_state")
        state_class = found["capabilities"].get("state_class")
        lines += differences(self.state_class, state_class, f"{self.key}.state_class")
        return lines


EXTRAS = [
    Entity(
        "sensor", "last_seen", "Last seen", device_class="timestamp", category="diagnostic",
        outlives_board=True),
    Entity(
        "sensor", "reconnects", "Reconnects", state_class="total_increasing", category="diagnostic",
        icon="mdi:connection", outlives_board=True)]
"""What every kind has on request."""

SIGNAL_STRENGTH = Entity(
    "sensor", "rssi", "Signal strength", device_class="signal_strength", unit="dBm", state_class="measurement",
    category="diagnostic")
"""What boards on the radio have besides."""

BRIDGE = [
    Entity("binary_sensor", "connection", "Connection", device_class="connectivity", category="diagnostic"),
    Entity("sensor", "version", "Version", category="diagnostic", icon="mdi:information-outline")]
"""Of the bridge itself."""
