"""What there is to say about a kind of board."""

from ..entity import EXTRAS, SIGNAL_STRENGTH


class Kind:
    """A board of the kind, in the house of one run.

    `home` is the Home Assistant, `boards` the simulated boards, `record` takes the steps.
    """

    kind = None
    """As the configuration names it."""
    name = None
    """Of the device, with an `area` that it stands in."""
    area = None
    model = None
    address = None
    """On the radio."""
    entities = []
    extras = []
    without_entity = []
    """Properties that are on their topics only."""
    settled = {}
    """States, by keys, of a board that was just added."""

    def __init__(self):
        self.services = {}
        """Tried ones, by keys of properties."""

    @property
    def slug(self):
        return self.name.lower().replace(" ", "_")

    @property
    def identifier(self):
        return f"sketch2mqtt_main_{self.slug}"

    def unique_id(self, key):
        return f"{self.identifier}_{key}"

    def all_entities(self, house):
        every = self.entities + self.extras + EXTRAS
        return [entity for entity in every if house.form in entity.forms]

    def followers(self, house):
        """Entities that follow the board's availability."""
        every = self.all_entities(house)
        return [entity for entity in every if not (entity.outlives_board or entity.is_disabled)]

    def move_in(self, house):
        """Adds the board; returns its link in the configuration: that of boards on the radio, unless overridden."""
        self.address = house.boards.add(self.slug, self.kind)
        return {"ble": self.address}

    @property
    def connections(self):
        return [["bluetooth", self.address]] if self.address else []

    def configuration(self, link):
        """Its entry in the configuration; with an id, so that the name can change."""
        return {
            "name": self.name, "id": self.slug, "kind": self.kind, "area": self.area, "link": link,
            "last_seen": True, "reconnects": True,
            "rssi": SIGNAL_STRENGTH in self.extras}

    def follow(self, house):
        """Steps that change the board and expect the states."""

    def serve(self, house):
        """Steps that call each service, expect it on the board, and the state that comes back."""

    def go_away(self, house):
        """Power off, or out of reach."""
        self.tell(house, "power off")

    def come_back(self, house):
        self.tell(house, "power on")

    def change_unseen(self, house):
        """Changes the board while nobody can see it; returns the states, by keys, that must follow."""
        return {}

    def settle(self, house):
        """Puts the board back into the states of `settled`."""

    # ---- for the steps

    def tell(self, house, words):
        house.boards.tell(f"{self.slug} {words}")

    def expect(self, house, **states):
        hidden = {
            entity.key for entity in self.all_entities(house)
            if entity.hides_unknown and house.form == "components"}
        for key, state in states.items():
            if state == "unknown" and key in hidden:
                state = "unavailable"
            house.home.expect(self.unique_id(key), state=state)

    def call(self, house, service, key, board, **data):
        """Calls a service and expects the board to have received a line that matches `board`."""
        since = house.boards.count
        house.home.call(service, self.unique_id(key), **data)
        house.boards.expect(f"{self.slug} {board}", since)
        words = [service] + [str(value) for value in data.values()]
        self.services.setdefault(key, []).append(" ".join(words))
