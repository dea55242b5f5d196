import DeviceModel
import EventLoop
import JSON
import Simulation
import TestSupport
import Testing

/// A simulated BlueZ on a bus of its own with whatever a test puts before it.
@Loop final class Air {
  nonisolated let bus: PrivateBus
  let bluez: SimulatedBlueZ

  nonisolated static let weatherAddress = "C0:DE:00:00:00:11"
  nonisolated static let boardAddress = "C0:DE:00:00:00:07"

  init(
    offersMonitors: Bool = false, timing: SimulatedBlueZTiming = SimulatedBlueZTiming().faster(by: 4)
  ) async throws {
    bus = try await PrivateBus.start()
    bluez = SimulatedBlueZ(busAddress: bus.address, timing: timing)
    bluez.offersMonitors = offersMonitors
    try await bluez.start()
  }

  /// The line of the configuration that leads to it.
  nonisolated var configuration: String { "bluetooth: { bus: \"\(bus.address)\" }" }

  func close() async {
    bluez.stop()
    await bus.stop()
  }

  /// Puts a weather board within reach.
  func weather(name: String? = "Weather", at address: String = Air.weatherAddress) -> (
    WeatherBoard, SimulatedBoard
  ) {
    let board = WeatherBoard(name: name)
    return (board, bluez.add(board, at: address))
  }
}

/// One board behind a simulated BlueZ.
@Loop final class OnAir<Board: SimulatedPeripheral & Sendable> {
  nonisolated let air: Air
  let board: Board
  let radio: SimulatedBoard

  init(_ board: Board) async throws {
    air = try await Air()
    self.board = board
    radio = air.bluez.add(board, at: Air.boardAddress)
  }
}

/// Runs a test with a bridge in this process and a radio of its own.
func withAir(
  _ devices: [String] = [], offersMonitors: Bool = false,
  _ body: @escaping @Loop @Sendable (Lodge, Air) async throws -> Void
) async throws {
  #expect(LoopThread.started)
  let air = try await Air(offersMonitors: offersMonitors)
  try await closing({ await air.close() }) {
    try await withLodge(devices, top: [air.configuration]) { lodge in try await body(lodge, air) }
  }
}

/// Runs a test in a house whose bridge hears `air`, by default with no other boards.
func withHouse(
  on air: Air, _ options: House.Options = House.Options(plugs: 0), devices: [String] = [],
  top: [String] = [], _ body: (House) async throws -> Void
) async throws {
  try await closing({ await air.close() }) {
    try await withHouse(
      options,
      configured: { text in
        text.top = [air.configuration] + top
        text.devices += devices
      }, body)
  }
}

/// Runs a test in a house whose only board is on the air, at ``Air/boardAddress``.
func withBoard<Board: SimulatedPeripheral & Sendable>(
  _ make: @Loop () -> Board, device: String, top: [String] = [],
  _ body: (House, OnAir<Board>) async throws -> Void
) async throws {
  #expect(LoopThread.started)
  let there = try await OnAir(make())
  try await withHouse(on: there.air, devices: [device], top: top) { try await body($0, there) }
}

extension Lodge {
  /// The data of an answer.
  nonisolated func asked(_ name: String, _ text: String = "{}") async throws -> Value.Members {
    let answer = try await request(name, text)
    #expect(answer["status"] == "ok", "\(name) \(text): \(answer)")
    guard case .object(let data)? = answer["data"] else { return [:] }
    return data
  }

  /// The words of a refusal.
  nonisolated func refused(_ name: String, _ text: String = "{}") async throws -> String {
    let answer = try await request(name, text)
    #expect(answer["status"] == "error", "\(name) \(text): \(answer)")
    guard case .text(let error)? = answer["error"] else { return "" }
    return error
  }
}
