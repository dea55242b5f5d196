import DeviceModel
@testable import BlueZ
import DBus
import EventLoop
import Simulation
import TestSupport
import Testing

extension BlueZTests {
  @Suite struct Peripherals {
    init() { #expect(LoopThread.started) }

    @Loop @Test func `a board's services are listed with all that can be done to them`() async throws {
      try await Radio.with { radio in
        let sight = Sight(radio, WeatherBoard())
        try await sight.up()
        let services = sight.peripheral.services
        #expect(services.map(\.uuid.short).prefix(3) == ["180f", "180a", "181a"])
        let temperature = try sight.characteristic(WeatherBoard.temperature)
        #expect(temperature.flags == ["read", "notify"])
        #expect(temperature.canRead && temperature.canNotify)
        #expect(!temperature.canWriteWithResponse && !temperature.canWriteWithoutResponse)
        #expect(temperature.descriptors.map(\.uuid.short) == ["2902", "2901"])
        #expect(try sight.characteristic(WeatherBoard.beep).canWriteWithoutResponse)
        #expect(sight.peripheral.advertisement?.name == "Weather")
        sight.peripheral.close()
        #expect(sight.peripheral.services.isEmpty)
      }
    }

    @Loop @Test func `values and descriptors are read and written, or refused with the reason`() async throws
    {
      try await Radio.with { radio in
        let board = WeatherBoard()
        let sight = Sight(radio, board)
        try await sight.up()
        let temperature = try sight.characteristic(WeatherBoard.temperature)
        #expect(await sight.read(temperature.handle) == .success([0x66, 0x08]))
        let described = try #require(temperature.descriptors.last)
        #expect(await sight.read(described.handle) == .success(Array("outside".utf8)))
        let label = try sight.characteristic(WeatherBoard.label)
        #expect(await sight.write(Array("cellar".utf8), to: label.handle, withResponse: true) == .success([]))
        #expect(await sight.read(label.handle) == .success(Array("cellar".utf8)))
        #expect(
          await sight.read(try sight.characteristic(WeatherBoard.secret).handle) == .failure(.pairingNeeded))
        let beep = try sight.characteristic(WeatherBoard.beep)
        #expect(await sight.write([1], to: beep.handle, withResponse: true) == .failure(.notSupported))
        #expect(await sight.write([1], to: beep.handle, withResponse: false) == .success([]))
        #expect(await sight.read(beep.handle) == .failure(.notPermitted("Read not permitted")))
        #expect(await sight.read(0xFFFF) == .failure(.attributeGone))
        #expect(board.written.map(\.bytes) == [Array("cellar".utf8), [1]])
      }
    }

    @Loop @Test func `what is asked at once is done in its order, one after the other`() async throws {
      try await Radio.with { radio in
        let board = WeatherBoard()
        let sight = Sight(radio, board)
        try await sight.up()
        let label = try sight.characteristic(WeatherBoard.label)
        let results = Inbox<Result<[UInt8], BlueZError>>("answers")
        for number in UInt8(0)..<20 {
          sight.peripheral.write([number], to: label.handle, withResponse: true) { results.append($0) }
          sight.peripheral.read(label.handle) { results.append($0) }
        }
        try await results.first(from: 39)
        #expect(board.written.map(\.bytes) == (UInt8(0)..<20).map { [$0] })
        #expect(results.all.enumerated().allSatisfy { $1 == .success($0 % 2 == 0 ? [] : [UInt8($0 / 2)]) })
      }
    }

    @Loop @Test func `advertisements are taken many at once, but for as long as a value may come on the bus`()
      async throws
    {
      try await Radio.with { radio in
        let beacon = radio.board(RawUARTBoard(name: "Keys"))
        beacon.isConnectable = false
        let rests = Inbox<Bool>("whether the bus rests after an advertisement")
        let observation = radio.central.observeAdvertisements { _ in
          Loop.atTurnEnd { rests.append(radio.central.peer?.connection.isResting ?? false) }
        }
        try await rests.first { $0 }
        let board = WeatherBoard()
        let sight = Sight(radio, board)
        try await sight.up()
        let battery = try sight.characteristic(WeatherBoard.battery)
        #expect(await sight.subscribe(battery.handle, true) == .success([]))
        let before = rests.count
        try await rests.first(from: before + 5)
        #expect(!rests.all[before...].contains(true))
        #expect(await sight.subscribe(battery.handle, false) == .success([]))
        try await rests.first(from: rests.count) { $0 }
        observation.cancel()
      }
    }

    @Loop @Test func `a value is notified once, and no more after it was switched off`() async throws {
      try await Radio.with { radio in
        let board = WeatherBoard()
        let sight = Sight(radio, board)
        try await sight.up()
        let battery = try sight.characteristic(WeatherBoard.battery)
        board.set([1], of: WeatherBoard.battery)
        #expect(await sight.subscribe(battery.handle, true) == .success([]))
        for value in UInt8(2)...5 { board.set([value], of: WeatherBoard.battery) }
        try await sight.values.first(from: 3)
        #expect(await sight.subscribe(battery.handle, false) == .success([]))
        board.set([6], of: WeatherBoard.battery)
        try await radio.settle()
        #expect(sight.values.all == [[2], [3], [4], [5]])
        let humidity = try sight.characteristic(WeatherBoard.humidity)
        #expect(await sight.subscribe(humidity.handle, true) == .failure(.notSupported))
      }
    }

    @Loop @Test func `what has no answer when the board is lost fails, and the board is connected again`()
      async throws
    {
      try await Radio.with { radio in
        let board = WeatherBoard()
        let sight = Sight(radio, board)
        try await sight.up()
        let label = try sight.characteristic(WeatherBoard.label)
        let results = Inbox<Result<[UInt8], BlueZError>>("answers")
        for _ in 0..<3 {
          sight.peripheral.write([1], to: label.handle, withResponse: true) { results.append($0) }
        }
        sight.board.drop()
        try await results.first(from: 2)
        #expect(results.all.allSatisfy { $0 == .failure(.dropped) || $0 == .failure(.notConnected) })
        try await sight.up(from: 1)
        #expect(await sight.read(label.handle) == .success(Array("attic".utf8)))
      }
    }

    @Loop @Test func `services that BlueZ remembers wrongly are asked for anew`() async throws {
      try await Radio.with { radio in
        let sight = Sight(radio, WeatherBoard(), isOpen: false)
        sight.board.rememberedServices = [.nus]
        sight.peripheral.open()
        try await sight.up()
        #expect(sight.peripheral.services.map(\.uuid) == [UARTService.nus.service])
        sight.peripheral.forgetServices()
        try await sight.up(from: 1)
        #expect(sight.peripheral.services.count == 4)
      }
    }
  }
}

/// A board whose services are looked at, and all that it told.
@Loop private final class Sight {
  enum Event: Equatable, Sendable {
    case up
    case down(BlueZError)
  }

  let board: SimulatedBoard
  let peripheral: BluetoothPeripheral
  nonisolated let events: Inbox<Event>
  nonisolated let values: Inbox<[UInt8]>

  init(_ radio: Radio, _ simulated: any SimulatedPeripheral, isOpen: Bool = true) {
    board = radio.board(simulated)
    peripheral = radio.central.peripheral(.address(board.address))
    events = Inbox("events of \(board.address)")
    values = Inbox("values of \(board.address)")
    peripheral.onStateChange = { [events] event in
      switch event {
      case .up: events.append(.up)
      case .down(let error): events.append(.down(error))
      }
    }
    peripheral.onValue = { [values] _, bytes in values.append(bytes) }
    if isOpen { peripheral.open() }
  }

  func up(from index: Int = 0) async throws { _ = try await events.first(from: index) { $0 == .up } }

  func characteristic(_ uuid: String) throws -> GATTCharacteristic {
    let uuid = try #require(BluetoothUUID(uuid))
    return try #require(peripheral.services.flatMap(\.characteristics).first { $0.uuid == uuid })
  }

  func read(_ handle: UInt16) async -> Result<[UInt8], BlueZError> {
    await withCheckedContinuation { continuation in
      peripheral.read(handle) { continuation.resume(returning: $0) }
    }
  }

  func write(_ bytes: [UInt8], to handle: UInt16, withResponse: Bool) async -> Result<[UInt8], BlueZError> {
    await withCheckedContinuation { continuation in
      peripheral.write(bytes, to: handle, withResponse: withResponse) { continuation.resume(returning: $0) }
    }
  }

  func subscribe(_ handle: UInt16, _ isOn: Bool) async -> Result<[UInt8], BlueZError> {
    await withCheckedContinuation { continuation in
      peripheral.subscribe(handle, isOn) { continuation.resume(returning: $0) }
    }
  }
}
