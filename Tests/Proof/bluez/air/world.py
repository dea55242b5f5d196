"""The boards and the adapter, on an event loop in a thread of its own."""

import asyncio
import threading

from bumble import hci
from bumble.transport.vhci import open_vhci_transport

from .board import Board
from .ether import Ether
from .radio import TIMED_OUT, Radio

ADAPTER = "00:1B:DC:00:00:01"


class World:
    def __init__(self):
        self.boards = []
        self.radio = None
        self.transport = None
        self.failures = []
        self.loop = asyncio.new_event_loop()
        threading.Thread(target=self.loop.run_forever, daemon=True).start()
        self.ether = self.do(self.make_ether())

    def do(self, coroutine):
        """From another thread, until it has ended."""
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result(120)

    def soon(self, coroutine):
        """On the loop."""
        task = self.loop.create_task(coroutine)
        task.add_done_callback(
            lambda done: done.exception() and self.failures.append(repr(done.exception())))

    async def make_ether(self):
        return Ether(self)

    def add(self, *arguments, **options):
        async def add():
            board = Board(self, *arguments, **options)
            self.boards.append(board)
            await board.start()
            return board
        return self.do(add())

    def board_of(self, controller):
        return next((board for board in self.boards if board.controller is controller), None)

    def cut(self, board, reason):
        """Ends a link at both ends at once, with no word exchanged."""
        for controller in [board.controller, *([self.radio] if self.radio else [])]:
            for connection in list(controller.le_connections.values()):
                if controller is board.controller or connection.peer_address == board.address:
                    controller.on_le_disconnected(connection, reason)

    async def lose(self, board):
        self.cut(board, TIMED_OUT)

    async def plug(self):
        self.transport = await open_vhci_transport(None)
        self.radio = Radio(
            self, name="adapter", host_source=self.transport.source, host_sink=self.transport.sink,
            link=self.ether, public_address=hci.Address(ADAPTER, hci.Address.PUBLIC_DEVICE_ADDRESS))

    async def unplug(self):
        radio, self.radio = self.radio, None
        for board in self.boards:
            for connection in list(board.controller.le_connections.values()):
                board.controller.on_le_disconnected(connection, TIMED_OUT)
        self.ether.remove_controller(radio)
        await self.transport.close()
