"""What the boards' programs do."""

import asyncio


class PetDoor:
    """Says whether it is locked by hand, then its state in each turn of its loop; takes `0` and `1`."""

    TURN = 1.0

    def __init__(self):
        self.is_locked = False

    async def greet(self, board):
        subscription = board.subscriptions
        await board.say(b"m:1" if self.is_locked else b"m:0")
        while board.is_subscribed and board.subscriptions == subscription:
            await self.tell(board)
            await asyncio.sleep(self.TURN)

    async def take(self, board, packet):
        self.is_locked = packet[:1] != b"0"
        await self.tell(board)

    async def tell(self, board):
        await board.say(f"s:{0 if self.is_locked else 1};t:20.00".encode())


class Echo:
    """Says what it is sent, and hello before."""

    async def greet(self, board):
        await board.say(b"hello\n")

    async def take(self, board, packet):
        await board.say(b"echo " + packet, size=20)


class Rover:
    """Says its tilt; drives on at its throttle, also when its link has dropped."""

    TURN = 0.5

    def __init__(self):
        self.throttle = 0

    async def greet(self, board):
        subscription = board.subscriptions
        while board.is_subscribed and board.subscriptions == subscription:
            await board.say(b"-0.31:1.20")
            await asyncio.sleep(self.TURN)

    async def take(self, _board, packet):
        if packet.startswith(b"T="):
            self.throttle = int(packet[2:])


class Silent:
    """Does what it is told, and says nothing: the garage door and the TV's board."""

    async def greet(self, _board):
        pass

    async def take(self, _board, _packet):
        pass
