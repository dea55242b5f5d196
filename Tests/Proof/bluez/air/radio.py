"""The kernel's controller: a plain Bluetooth 4.2 dongle, LE only."""

import asyncio
from collections import Counter

from bumble import hci, ll
from bumble.controller import Connection, Controller
from bumble.core import PhysicalTransport

CONNECTABLE, SCANNABLE, NOT_CONNECTABLE, SCAN_RESPONSE = 0, 2, 3, 4
TIMED_OUT, NOT_ESTABLISHED = 0x08, 0x3E
PASSIVE, ACTIVE = 0, 1


class Radio(Controller):
    hci_version = lmp_version = hci.HCI_VERSION_BLUETOOTH_CORE_4_2
    le_features = (
        hci.LeFeatureMask.LE_ENCRYPTION
        | hci.LeFeatureMask.CONNECTION_PARAMETERS_REQUEST_PROCEDURE
        | hci.LeFeatureMask.PERIPHERAL_INITIATED_FEATURE_EXCHANGE
        | hci.LeFeatureMask.LE_DATA_PACKET_LENGTH_EXTENSION)
    supported_max_tx_octets = supported_max_rx_octets = 251

    def __init__(self, world, **options):
        super().__init__(**options)
        self.world = world
        self.accept_list = set()
        self.seen = set()
        self.overheard = Counter()

    @staticmethod
    def key(kind, address):
        return bytes([int(kind) & 1]) + bytes(address)

    # ---- scanning

    def on_hci_le_set_scan_enable_command(self, command):
        result = super().on_hci_le_set_scan_enable_command(command)
        if self.le_scan_enable:
            self.seen.clear()
        return result

    def hear(self, board, address):
        """An advertisement; the connection that waits for it begins."""
        listed = self.key(address.address_type, address) in self.accept_list
        if self.le_scan_enable and (listed or not self.le_scanning_filter_policy & 1):
            self.report(address, CONNECTABLE, board.advertisement, board.rssi)
            if self.le_scan_type:
                self.report(address, SCAN_RESPONSE, board.scan_response, board.rssi)
        pending = self.pending_le_connection
        if pending is None:
            return
        if pending.initiator_filter_policy & 1:
            is_wanted = listed
        else:
            is_wanted = self.key(pending.peer_address_type, pending.peer_address) == self.key(
                address.address_type, address)
        if is_wanted and not board.is_deaf and address not in self.le_connections:
            self.link_up(board, address)

    def overhear(self, address, data, rssi):
        """An advertisement of one that takes no connection."""
        if self.le_scan_enable and not self.le_scanning_filter_policy & 1:
            self.report(address, NOT_CONNECTABLE, data, rssi)
            self.overheard[self.le_scan_type] += 1

    def report(self, address, kind, data, rssi):
        if self.filter_duplicates:
            key = (self.key(address.address_type, address), kind, data)
            if key in self.seen:
                return
            self.seen.add(key)
        event = hci.HCI_LE_Advertising_Report_Event
        self.send_hci_packet(event([event.Report(
            event_type=event.EventType(kind), address_type=address.address_type, address=address, data=data,
            rssi=rssi)]))

    # ---- the accept list, which the library only acknowledges

    def on_hci_le_clear_filter_accept_list_command(self, command):
        self.accept_list.clear()
        return super().on_hci_le_clear_filter_accept_list_command(command)

    def on_hci_le_add_device_to_filter_accept_list_command(self, command):
        self.accept_list.add(self.key(command.address_type, command.address))
        return super().on_hci_le_add_device_to_filter_accept_list_command(command)

    def on_hci_le_remove_device_from_filter_accept_list_command(self, command):
        self.accept_list.discard(self.key(command.address_type, command.address))
        return super().on_hci_le_remove_device_from_filter_accept_list_command(command)

    # ---- connecting

    def connection_complete(self, status, handle=0, address=None, kind=0):
        self.send_hci_packet(hci.HCI_LE_Connection_Complete_Event(
            status=status, connection_handle=handle, role=hci.Role.CENTRAL, peer_address_type=kind,
            peer_address=address or hci.Address.ANY, connection_interval=24, peripheral_latency=0,
            supervision_timeout=42, central_clock_accuracy=0))

    def link_up(self, board, address):
        pending, self.pending_le_connection = self.pending_le_connection, None
        is_public = pending.own_address_type == hci.OwnAddressType.PUBLIC
        own = self.public_address if is_public else self.random_address
        handle = self.allocate_connection_handle()
        self.le_connections[address] = Connection(
            controller=self, handle=handle, role=hci.Role.CENTRAL, self_address=own, peer_address=address,
            link=self.link, transport=PhysicalTransport.LE,
            link_type=hci.HCI_Connection_Complete_Event.LinkType.ACL)
        self.link.send_advertising_pdu(self, ll.ConnectInd(
            initiator_address=own, advertiser_address=address, interval=24, latency=0, timeout=42))
        self.connection_complete(0, handle, address, address.address_type)
        if board.breaks_off:
            asyncio.get_running_loop().call_later(0.02, self.world.cut, board, NOT_ESTABLISHED)

    def on_hci_le_create_connection_cancel_command(self, command):
        if self.pending_le_connection is None:
            return hci.HCI_StatusReturnParameters(hci.HCI_ErrorCode.COMMAND_DISALLOWED_ERROR)
        self.pending_le_connection = None
        asyncio.get_running_loop().call_soon(
            self.connection_complete, hci.HCI_ErrorCode.UNKNOWN_CONNECTION_IDENTIFIER_ERROR)
        return hci.HCI_StatusReturnParameters(hci.HCI_ErrorCode.SUCCESS)

    def on_hci_reset_command(self, command):
        self.le_scan_enable = False
        self.pending_le_connection = None
        self.accept_list.clear()
        for board in self.world.boards:
            self.world.cut(board, TIMED_OUT)
        return super().on_hci_reset_command(command)
