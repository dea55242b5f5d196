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

  init(offersMonitors: Bool = false) async throws {
    bus = try await PrivateBus.start()
    bluez = SimulatedBlueZ(busAddress: bus.address, timing: SimulatedBlueZTiming().faster(by: 4))
    bluez.offersMonitors = offersMonitors
    try await bluez.start()
  }

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

/// Runs a test with a bridge in this process and a radio of its own.
func withAir(
  _ devices: [String] = [], offersMonitors: Bool = false,
  _ body: @escaping @Loop @Sendable (Lodge, Air) async throws -> Void
) async throws {
  #expect(LoopThread.started)
  let air = try await Air(offersMonitors: offersMonitors)
  do {
    try await withLodge(devices, top: ["bluetooth: { bus: \"\(air.bus.address)\" }"]) { lodge in
      try await body(lodge, air)
    }
    await air.close()
  } catch {
    await air.close()
    throw error
  }
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
