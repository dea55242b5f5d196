import DeviceModel
import Simulation

@testable import Adapters

/// The simulated sketch and the adapter, connected for one short session after the other, in no time at all.
struct PolledPlug {
  var talk: Conversation
  var sketch: ClassicPlugSketch
  var interval = Duration.seconds(10)
  /// Bytes a segment.
  var segment = 1500
  private(set) var outputs: [Output] = []
  private var sessionBegan = Duration.zero
  private var pauseBefore: Duration?

  init(_ options: PlugSketchOptions = .classic, at wall: String = "2026-11-30T07:00:00Z") {
    talk = Conversation(PowerPlug(), at: wall)
    sketch = ClassicPlugSketch(options: options, startedAt: .zero)
    sketch.skipChecks(until: time)
  }

  /// The true time.
  var time: Duration { .milliseconds(talk.now.wall.milliseconds) }
  subscript(key: PropertyKey) -> Value? { talk.state[key] }

  var activations: [Activation] {
    sketch.slots.filter { !$0.isFree }.compactMap { try? Activation.decode($0.bytes) }
  }

  /// Sessions, and the time between them, until `end` has passed.
  mutating func run(for duration: Duration) {
    let end = time + duration
    while time < end {
      session()
      rest()
    }
  }

  /// A session for these commands, and those that it asks for. Returns what was refused.
  @discardableResult
  mutating func carryOut(_ commands: Command...) -> [Rejection.Reason] {
    session(CommandBatch(number: 1, commands))
    var all = outputs
    for _ in 0..<5 where pauseBefore != nil {
      rest()
      session()
      all += outputs
    }
    return all.reasons
  }

  /// Time without a client.
  private mutating func rest() {
    let pause = pauseBefore ?? max(.milliseconds(100), sessionBegan + interval - talk.now.uptime)
    pauseBefore = nil
    talk.pass(pause)
    _ = sketch.run(until: time)
  }

  private mutating func session(_ commands: CommandBatch? = nil) {
    outputs = []
    sessionBegan = talk.now.uptime
    take(talk.connect())
    if let commands { take(talk.feed(.commands(commands))) }
    deliver(sketch.clientConnected())
    for _ in 0..<1000 where talk.isUp { take(talk.pass(.milliseconds(50))) }
  }

  private mutating func deliver(_ messages: [[UInt8]]) {
    let bytes = messages.flatMap(\.self)
    for start in stride(from: 0, to: bytes.count, by: segment) where talk.isUp {
      take(talk.receive(Array(bytes[start..<min(start + segment, bytes.count)])))
    }
  }

  private mutating func take(_ new: [Output]) {
    outputs += new
    for bytes in new.sent where talk.isUp { deliver(sketch.receive(bytes, at: time).messages) }
    guard talk.isUp, new.isFinished || new.reconnects || new.hasFailed else { return }
    for case .reconnect(_, let pause) in new { pauseBefore = pause }
    outputs += talk.disconnect()
    sketch.clientDisconnected(at: time)
  }
}
