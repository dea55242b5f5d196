import DeviceModel
import BlueZ
import DBus
import EventLoop
import Simulation
import TestSupport
import Testing

extension BlueZTests {
  @Suite struct Advertisements {
    init() { #expect(LoopThread.started) }

    @Loop @Test func `a beacon is heard with all that it says, for as long as somebody listens`() async throws
    {
      try await Radio.with { radio in
        let board = radio.board(RawUARTBoard(name: "Keys"))
        board.isConnectable = false
        board.rssiDBm = -71
        board.manufacturerData = [0x4C: [2, 21, 1]]
        board.serviceData = ["0000feaa-0000-1000-8000-00805f9b34fb": [0, 1]]
        let heard = Inbox<Advertisement>("advertisements")
        let observation = radio.central.observeAdvertisements { heard.append($0) }
        let advertisement = try await heard.first()
        #expect(advertisement.address == board.address)
        #expect(advertisement.isRandomAddress)
        #expect(advertisement.name == "Keys")
        #expect(advertisement.rssiDBm == -71)
        #expect(advertisement.services == [UARTService.nus.service])
        #expect(advertisement.manufacturerData == [0x4C: [2, 21, 1]])
        let eddystone = try #require(BluetoothUUID("feaa"))
        #expect(advertisement.serviceData == [eddystone: [0, 1]])
        #expect(radio.bluez.discoveryFilter["Transport"] == .string("le"))
        #expect(radio.bluez.discoveryFilter["DuplicateData"] == .boolean(true))
        // Heard again although nothing changed, and again after BlueZ has forgotten the beacon.
        try await heard.first(from: 5)
        observation.cancel()
        await radio.until("scanning ends") { !radio.bluez.isDiscovering }
        let count = heard.count
        let second = radio.central.observeAdvertisements { heard.append($0) }
        try await heard.first(from: count)
        second.cancel()
        #expect(board.connectCalls == 0)
      }
    }

    @Loop @Test(arguments: [127, 21, -128] as [Int16])
    func `a strength that a controller does not have is not told`(reading: Int16) async throws {
      try await Radio.with { radio in
        let board = radio.board(RawUARTBoard(name: "Keys"))
        board.rssiDBm = reading
        let heard = Inbox<Advertisement>("advertisements")
        let observation = radio.central.observeAdvertisements { heard.append($0) }
        try await heard.first(from: 3)
        #expect(heard.all.allSatisfy { $0.rssiDBm == nil })
        board.rssiDBm = -50
        try await heard.first(from: heard.count) { $0.rssiDBm == -50 }
        observation.cancel()
      }
    }

    @Loop @Test func `what was heard before is told to who asks for it, and to nobody else`() async throws {
      try await Radio.with { radio in
        let board = radio.board(RawUARTBoard(name: "Keys"))
        board.rssiDBm = -48
        let first = Inbox<Advertisement>("advertisements")
        let observation = radio.central.observeAdvertisements { first.append($0) }
        try await first.first()
        // BlueZ scans on, and has heard it; nothing follows.
        board.isAdvertising = false
        try await radio.settle()
        let known = Inbox<Advertisement>("what was heard before")
        let others = Inbox<Advertisement>("what is heard from now on")
        var observations = [
          radio.central.observeAdvertisements(includingHeard: true) { known.append($0) },
          radio.central.observeAdvertisements { others.append($0) },
        ]
        let advertisement = try await known.first()
        #expect(advertisement.address == board.address)
        #expect(advertisement.rssiDBm == -48)
        let late = BluetoothCentral(BluetoothSettings(bus: radio.bus.address))
        let lateKnown = Inbox<Advertisement>("what was heard before it came")
        observations.append(late.observeAdvertisements(includingHeard: true) { lateKnown.append($0) })
        observations.append(late.observeAdvertisements { others.append($0) })
        late.start()
        #expect(try await lateKnown.first().rssiDBm == -48)
        try await radio.settle()
        #expect(known.count == 1)
        #expect(lateKnown.count == 1)
        #expect(others.count == 0)
        for one in observations + [observation] { one.cancel() }
        await late.stop()
      }
    }

    @Loop @Test func `listening goes on around connects`() async throws {
      try await Radio.with { radio in
        let beacon = radio.board(RawUARTBoard(name: "Beacon"))
        beacon.isConnectable = false
        let board = radio.board(RawUARTBoard())
        let heard = Inbox<String>("addresses")
        let observation = radio.central.observeAdvertisements { heard.append($0.address) }
        let port = Port(radio, .address(board.address))
        try await port.up()
        #expect(radio.bluez.connectsWhileScanning == 0)
        let count = heard.count
        try await heard.first(from: count) { $0 == beacon.address }
        observation.cancel()
      }
    }

    @Loop @Test func `a tag that changes its address all the time leaves no objects behind`() async throws {
      try await Radio.with { radio in
        radio.bluez.timing.idleRemoval = .milliseconds(50)
        let uuid = [UInt8](repeating: 0xAB, count: 16)
        let heard = Inbox<Advertisement>("advertisements")
        let observation = radio.central.observeAdvertisements { heard.append($0) }
        for number in 0..<300 {
          let last = ["\(number / 100)0", "\(number % 100 / 10)0", "\(number % 10)0"].joined(separator: ":")
          let tag = radio.bluez.addIBeacon(at: "40:00:00:\(last)", uuid: uuid, major: 1, minor: 2)
          try await heard.first(from: max(0, heard.count - 50)) { $0.address == tag.address }
          radio.bluez.carryAway(tag)
        }
        await radio.until("BlueZ has forgotten them") { radio.bluez.boards.isEmpty }
        try await radio.settle()
        #expect(radio.central.knownDevices == 0)
        observation.cancel()
      }
    }
  }
}
