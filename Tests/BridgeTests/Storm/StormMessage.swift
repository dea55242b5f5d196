import DeviceModel
import EventLoop
import Simulation
import TestSupport

/// A command as it is published, and its number as a board or a client sees it again.
extension StormCommand {
  private static let firstStart: UInt32 = 3_900_000_000

  var topic: String {
    switch self {
    case .activation(let plug, _): "plug_\(plug + 1)/schedule/put"
    case .text: "board/tx"
    case .power(let plug, _): "plug_\(plug + 1)/power/set"
    case .lock: "door/lock/set"
    case .takeOff: "drone/take_off/set"
    case .land: "drone/land/set"
    }
  }

  var number: Int? {
    switch self {
    case .activation(_, let number), .text(let number): number
    case .power, .lock, .takeOff, .land: nil
    }
  }

  /// Names come again and again, so that the board's table has room.
  var payload: String {
    switch self {
    case .activation(_, let number):
      """
      {"name":"s\(number % 8)","start":"\(Self.start(number).iso8601)","length":5,"period":0}
      """
    case .text(let number): "n\(number)"
    case .power(_, let isOn): isOn ? "ON" : "OFF"
    case .lock(let isLocking): isLocking ? "LOCK" : "UNLOCK"
    case .takeOff, .land: "PRESS"
    }
  }

  private static func start(_ number: Int) -> Timestamp {
    Timestamp(seconds: Int64(firstStart) + 3600 * Int64(number))
  }

  static func number(start: UInt32) -> Int { (Int(start) - Int(firstStart)) / 3600 }

  static func number(text: String) -> Int? { text.hasPrefix("n") ? Int(text.dropFirst()) : nil }

  /// The lane and the number of a message that a storm published; nil for any other.
  static func sent(_ message: RecordedMessage) -> (lane: StormLedger.Lane, number: Int)? {
    let parts = message.topic.split(separator: "/").dropFirst().map(String.init)
    if parts == ["board", "tx"], let number = number(text: message.text) {
      return (StormLedger.Lane(device: "board"), number)
    }
    guard parts.count == 3, parts[1...] == ["schedule", "put"],
      let start = message.state("start")?.text.flatMap({ Timestamp(iso8601: $0) })
    else { return nil }
    return (StormLedger.Lane(device: parts[0], property: "schedule"), number(start: UInt32(start.seconds)))
  }
}

extension StormLedger.Spell {
  /// - Parameters:
  ///   - messages: All from before the bridge's start on.
  ///   - transaction: Of the first request that it answered: what was refused earlier may be another's.
  init(_ messages: some Sequence<RecordedMessage>, transaction: String) {
    var isKnown = false
    for message in messages {
      if let (lane, number) = StormCommand.sent(message) {
        sent[lane, default: []].insert(number)
      } else if message.topic.hasSuffix("response/health"), message.state("transaction")?.text == transaction
      {
        isKnown = true
      } else if isKnown, let failure = Failure(message), let lane = StormLedger.Lane(failure),
        !StormLedger.uncertain.contains(failure.reason)
      {
        refused[lane, default: 0] += 1
      }
    }
  }
}

extension StormLedger.Lane {
  /// nil where commands have no number.
  fileprivate init?(_ failure: Failure) {
    switch (failure.device, failure.property) {
    case ("board", _): self.init(device: "board")
    case (let plug?, "schedule"): self.init(device: plug, property: "schedule")
    default: return nil
    }
  }
}
