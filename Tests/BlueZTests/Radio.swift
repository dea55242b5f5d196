import BlueZ
import EventLoop
import Simulation
import TestSupport
import Testing

/// A central and a simulated BlueZ on a bus of their own, twenty times as fast as the real ones.
@Loop final class Radio {
  let bus: PrivateBus
  let bluez: SimulatedBlueZ
  let central: BluetoothCentral
  let statuses = Inbox<BluetoothStatus>("status")

  nonisolated static let speed = 20.0

  private init(bus: PrivateBus, adapter: String?, timing: ConnectTiming) {
    self.bus = bus
    bluez = SimulatedBlueZ(busAddress: bus.address, timing: SimulatedBlueZTiming().faster(by: Self.speed))
    var settings = BluetoothSettings(adapter: adapter, bus: bus.address)
    settings.busBackOff = BackOff(first: .milliseconds(20), longest: .milliseconds(100))
    settings.timing = timing
    central = BluetoothCentral(settings)
    central.onStatusChange = { [statuses] in statuses.append($0) }
  }

  static var timing: ConnectTiming {
    var timing = ConnectTiming()
    timing.connect = .milliseconds(500)
    timing.services = .milliseconds(400)
    timing.subscription = .milliseconds(500)
    timing.quickFailure = .milliseconds(150)
    timing.advertisementLife = .milliseconds(750)
    timing.disconnectGrace = .milliseconds(60)
    timing.disconnect = .milliseconds(400)
    timing.listening = .milliseconds(100)
    timing.rest = .milliseconds(400)
    timing.backOff = BackOff(first: .milliseconds(20), longest: .milliseconds(80), healthyAfter: .seconds(3))
    return timing
  }

  /// Runs `body` with everything started, and stops it after.
  static func with(
    adapter: String? = nil, timing: ConnectTiming = Radio.timing,
    _ body: @Loop (Radio) async throws -> Void
  ) async throws {
    let radio = Radio(bus: try await PrivateBus.start(), adapter: adapter, timing: timing)
    do {
      try await radio.bluez.start()
      radio.central.start()
      try await body(radio)
    } catch {
      await radio.stop()
      throw error
    }
    await radio.stop()
  }

  private func stop() async {
    await central.stop()
    bluez.stop()
    await bus.stop()
  }

  /// The next address that nobody has.
  func board(_ peripheral: any SimulatedPeripheral) -> SimulatedBoard {
    let number = bluez.boards.count + 1
    return bluez.add(peripheral, at: "C0:DE:00:00:00:" + (number < 10 ? "0\(number)" : "\(number)"))
  }

  /// Awaits a state of the simulation.
  func until(
    _ what: String, sourceLocation: SourceLocation = #_sourceLocation,
    _ condition: @escaping @Loop () -> Bool
  ) async {
    do {
      try await bluez.wait { _ in condition() }
    } catch {
      Issue.record(error, "waited in vain until \(what)", sourceLocation: sourceLocation)
    }
  }

  /// Awaits that nothing of the bus is under way any more: an answer comes after all that was sent before.
  func settle() async throws {
    let client = try await SecondClient.connect(to: bus.address)
    for _ in 0..<3 { _ = try await client.objects() }
    client.close()
  }
}
