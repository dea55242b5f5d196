import EventLoop
import Glibc
import Simulation

/// A classic power plug whose lamp goes on some seconds after the start, and every other minute.
@Loop final class DemoPlug: DemoBoard {
  private let plug: SimulatedPowerPlug

  init() throws(DemoFailure) {
    let now = Int64(Glibc.time(nil))
    var options = PlugSketchOptions.classic
    options.checkInterval = .seconds(1)
    options.offCommand = .returnsToAutomatic
    let lamp = PlugSlot(
      name: "lamp", start: UInt32(truncatingIfNeeded: now + 8), lengthMinutes: 1, periodMinutes: 2)
    do throws(SocketFailure) {
      plug = try SimulatedPowerPlug(
        options: options, slots: [lamp], clock: SimulatedClock(startingAt: .seconds(now)))
    } catch {
      throw .board("power plug", "\(error)")
    }
  }

  var title: String { "a Wi-Fi power plug on TCP port \(plug.port)" }

  var configuration: String {
    """
      - name: Garden plug
        kind: power_plug
        link: { tcp: "127.0.0.1:\(plug.port)", session: polled, poll: 2s }
    """
  }

  var examples: [DemoExample] { Self.examples }

  static var examples: [DemoExample] {
    [
      DemoExample(topic: "garden_plug/power/set", payload: "ON"),
      DemoExample(topic: "garden_plug/mode/set", payload: "automatic"),
      DemoExample(
        topic: "garden_plug/schedule/put",
        payload: #"{"name":"pump","start":"2027-05-01T06:00:00Z","length":30,"period":1440}"#),
    ]
  }

  func stop() { plug.stop() }
}
