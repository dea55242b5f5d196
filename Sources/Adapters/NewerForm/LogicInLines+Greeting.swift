import DeviceModel

/// What is wanted between a board's hello and its greeting.
///
/// From the greeting on the board takes lines alone, and that is before its answer is here: a packet of the older form
/// may go unheard then, and count as sent. What may be late waits for the greeting, as long as it may.
extension LogicInLines {
  var isBeingGreeted: Bool { !isInLines && session.hasBeenIntroduced }

  mutating func hold(_ send: Output.Send, at now: Duration, into outputs: inout [Output]) {
    guard let expiry = send.expiry else { return }
    if held.isEmpty { outputs.append(.setTimer(Greeting.timer, after: expiry)) }
    held.append(Greeting.Held(send: send, until: now + expiry))
  }

  /// The board listens to lines now.
  mutating func sendHeld(at now: Moment, into outputs: inout [Output]) {
    guard isInLines, !held.isEmpty else { return }
    let waiting = held
    forgetHeld(into: &outputs)
    carryOut(waiting.map { .send($0.send) }, at: now, into: &outputs)
  }

  /// What has waited for too long fails.
  mutating func dropHeld(at now: Moment, into outputs: inout [Output]) {
    let late = held.filter { $0.until <= now.uptime }
    held.removeAll { $0.until <= now.uptime }
    if let next = held.first {
      outputs.append(.setTimer(Greeting.timer, after: next.until - now.uptime))
    }
    for number in late.compactMap(\.send.number) {
      tell(.notSent(number, "the board was not greeted in time"), at: now, into: &outputs)
    }
  }

  mutating func forgetHeld(into outputs: inout [Output]) {
    if !held.isEmpty { outputs.append(.cancelTimer(Greeting.timer)) }
    held = []
  }
}

/// A board that has said hello and is not greeted yet.
enum Greeting {
  static let timer = "lines_greeting"

  struct Held: Hashable, Sendable {
    var send: Output.Send
    /// It is not wanted any more then.
    var until: Duration
  }
}

extension Output.Send {
  /// How late it may leave; nil for any time.
  var expiry: Duration? {
    if case .expires(let time) = policy { time } else { nil }
  }
}
