"""Who hears whose advertisements, and data between two ends."""

import asyncio

from bumble import ll
from bumble.core import PhysicalTransport
from bumble.link import LocalLink


class Ether(LocalLink):
    def __init__(self, world):
        super().__init__()
        self.world = world

    def send_advertising_pdu(self, sender_controller, packet):
        board = self.world.board_of(sender_controller)
        if board is not None and isinstance(packet, ll.AdvInd):
            if self.world.radio is not None:
                self.world.radio.hear(board, packet.advertiser_address)
        elif isinstance(packet, ll.ConnectInd):
            super().send_advertising_pdu(sender_controller, packet)

    def send_acl_data(self, sender_controller, destination_address, transport, data):
        # The library names the sender by its random address, whatever address the connection was made with: BlueZ
        # uses its public one.
        link = sender_controller.le_connections.get(destination_address)
        if transport != PhysicalTransport.LE or link is None:
            return
        target = next((
            controller for controller in self.controllers
            if controller is not sender_controller and any(
                other.self_address == destination_address and other.peer_address == link.self_address
                for other in controller.le_connections.values())), None)
        board = self.world.board_of(target)
        if target is None or board is not None and board.is_mute:
            return

        def deliver():
            if link.self_address in target.le_connections:
                target.on_link_acl_data(link.self_address, transport, data)
        asyncio.get_running_loop().call_soon(deliver)

    def send_ll_control_pdu(self, sender_address, receiver_address, packet):
        receiver = self.find_le_controller(receiver_address)
        if receiver is None:
            return

        def deliver():
            if sender_address in receiver.le_connections:
                receiver.on_ll_control_pdu(sender_address, packet)
        asyncio.get_running_loop().call_soon(deliver)
