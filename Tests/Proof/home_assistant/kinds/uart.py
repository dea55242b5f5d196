"""Any board that speaks in lines or packets: on topics only."""

from ..entity import SIGNAL_STRENGTH
from .kind import Kind


class UART(Kind):
    kind = "uart"
    name = "Workbench"
    area = "Cellar"
    extras = [SIGNAL_STRENGTH]
    without_entity = ["rx", "tx"]

    def follow(self, house):
        with house.step("how strongly a board is heard"):
            self.expect(house, rssi=-60)
        with house.step("the raw board's packets, both ways"):
            since = house.observer.count
            self.tell(house, "say hello")
            house.observer.expect(f"sketch2mqtt/{self.slug}/rx", "hello", since)
            since = house.boards.count
            house.observer.publish(f"sketch2mqtt/{self.slug}/tx", "welcome")
            house.boards.expect(f"{self.slug} received welcome", since)
