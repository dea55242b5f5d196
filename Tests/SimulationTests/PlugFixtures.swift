import EventLoop
import Simulation
import Testing

/// 2023-11-14 22:13:20 UTC, 0x6553F100.
let sketchStart: UInt32 = 1_700_000_000
let noon = Duration.seconds(1_700_000_000)
let lampSlot = PlugSlot(name: "Lamp", start: 1_700_000_060, lengthMinutes: 10, periodMinutes: 60)
let status: [UInt8] = [0x53, 0, 0]

func slot(_ name: String, after seconds: UInt32 = 0, length: UInt16, period: UInt16) -> PlugSlot {
  PlugSlot(name: name, start: sketchStart + seconds, lengthMinutes: length, periodMinutes: period)
}

func sketch(_ slots: PlugSlot..., change: (inout PlugSketchOptions) -> Void = { _ in })
  -> ClassicPlugSketch
{
  var options = PlugSketchOptions.classic
  change(&options)
  var sketch = ClassicPlugSketch(options: options, startedAt: noon - .seconds(1))
  for (index, slot) in slots.enumerated() { sketch.put(slot, at: index) }
  return sketch
}

extension ClassicPlugSketch {
  /// Lets the time pass with all its checks; the appliance is on then.
  mutating func expectOn(after seconds: Int, at location: SourceLocation = #_sourceLocation) {
    _ = run(until: noon + .seconds(seconds))
    #expect(isOn, "after \(seconds) s", sourceLocation: location)
  }

  mutating func expectOff(after seconds: Int, at location: SourceLocation = #_sourceLocation) {
    _ = run(until: noon + .seconds(seconds))
    #expect(!isOn, "after \(seconds) s", sourceLocation: location)
  }

  mutating func receive(_ bytes: [UInt8]) -> Reaction { receive(bytes, at: noon) }

  func starts() -> [UInt32] {
    slots.filter { !$0.isFree }.map { $0.start - 1_700_000_000 }
  }
}

/// A plug whose time stands still, stopped when `body` ends.
@Loop func withPlug(
  _ options: PlugSketchOptions = .classic, slots: [PlugSlot] = [lampSlot],
  secondClient: SimulatedPowerPlug.SecondClient = .waits, speed: Double = 0,
  _ body: @Loop (SimulatedPowerPlug) async throws -> Void
) async throws {
  let plug = try SimulatedPowerPlug(
    options: options, slots: slots, secondClient: secondClient,
    clock: SimulatedClock(startingAt: noon, speed: speed))
  defer { plug.stop() }
  try await body(plug)
}

@Loop func table(of plug: SimulatedPowerPlug) -> [UInt8] { [0x41] + plug.sketch.table }
