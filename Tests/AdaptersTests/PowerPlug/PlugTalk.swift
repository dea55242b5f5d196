import DeviceModel

@testable import Adapters

/// A classic board as far as one test needs it, and a conversation with it. Written bytes are taken into its table.
struct PlugTalk {
  var talk: Conversation
  var slots: [[UInt8]]
  var isManual = false
  var isOn = false
  /// `S 0` returns to automatic, where the appliance is off.
  var offIsAutomatic = false
  /// Commands by their letter that have no effect.
  var lost: Set<UInt8> = []
  private(set) var written: [[UInt8]] = []
  private(set) var outputs: [Output] = []

  init(slots: Int = 10, _ activations: [Activation] = [], at wall: String = "2026-11-30T07:00:00Z") {
    talk = Conversation(PowerPlug(), at: wall)
    self.slots = Array(repeating: Array(repeating: 0, count: 29), count: slots)
    for (slot, activation) in activations.enumerated() { self.slots[slot] = activation.encoded }
  }

  var status: [UInt8] { [0x53, isManual ? 1 : 0, isOn ? 1 : 0] }
  var table: [UInt8] { [0x41] + slots.joined() }
  var activations: [Activation?] { slots.map { try? Activation.decode($0) } }
  subscript(key: PropertyKey) -> Value? { talk.state[key] }

  /// One session of a polled link, to its end: the board greets, answers and obeys. Returns all outputs.
  @discardableResult
  mutating func session(_ commands: CommandBatch? = nil) -> [Output] {
    outputs = []
    written = []
    take(talk.connect())
    if let commands { take(talk.feed(.commands(commands))) }
    take(talk.receive(status))
    // Whatever goes wrong, a session ends within this time.
    for _ in 0..<600 where talk.isUp { take(talk.pass(.milliseconds(50))) }
    return outputs
  }

  /// A session, and the one after it when the adapter asks for one.
  @discardableResult
  mutating func sessions(_ commands: CommandBatch? = nil) -> [Output] {
    var all = session(commands)
    for _ in 0..<5 where outputs.reconnects {
      talk.pass(.milliseconds(200))
      all += session()
    }
    return all
  }

  private mutating func take(_ new: [Output]) {
    outputs += new
    for bytes in new.sent {
      written.append(bytes)
      obey(bytes)
    }
    if talk.isUp, new.isFinished || new.reconnects || new.hasFailed { take(talk.disconnect()) }
  }

  private mutating func obey(_ bytes: [UInt8]) {
    guard let letter = bytes.first, !lost.contains(letter) else { return }
    switch letter {
    case UInt8(ascii: "A"): take(talk.receive(table))
    case UInt8(ascii: "U"): slots[Int(bytes[1])] = Array(bytes[2...])
    case UInt8(ascii: "D"): slots[Int(bytes[1])][0] = 0
    case UInt8(ascii: "S"):
      isOn = bytes[1] == 1
      isManual = isOn || !offIsAutomatic
    default: break
    }
  }
}

extension Activation {
  static func daily(_ name: String = "Morning", start: String, length: UInt16 = 60, period: UInt16 = 1080)
    -> Activation
  {
    Activation(
      name: name, start: UInt32(Timestamp(iso8601: start)?.seconds ?? 0), lengthMinutes: length,
      periodMinutes: period)
  }

  /// As an owner writes it.
  var command: Value {
    [
      "name": .text(name), "start": .text(Timestamp(seconds: startSeconds).iso8601),
      "length": .integer(Int(lengthMinutes)), "period": .integer(Int(periodMinutes)),
    ]
  }
}
