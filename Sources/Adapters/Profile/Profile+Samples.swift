import DeviceModel

extension Profile {
  /// What a board sends that says a line of a sample: the line with what ends a message behind it.
  ///
  /// A line that begins with `0x` is bytes in hexadecimal digits. Nil when those are none.
  public func bytes(ofSample line: String) -> [UInt8]? {
    if line.hasPrefix("0x") { return [UInt8](spacedHexadecimal: line.utf8.dropFirst(2)) }
    let text = Array(line.utf8)
    guard case .ends(let ends) = plan.frame.cut, let end = ends.first else { return text }
    // A message of several lines ends with one of its own; until then each has its line feed.
    if end.last == 0x0A { return text + (end.allSatisfy { $0 == 0x0A || $0 == 0x0D } ? end : [0x0A]) }
    let isEnded = text.count >= end.count && text.suffix(end.count).elementsEqual(end)
    return isEnded || !plan.frame.start.isEmpty ? text : text + end
  }

  /// Nothing is pending that more bytes would make a message.
  public var isBetweenMessages: Bool { !reader.isWaiting }

  /// Only silence ends a message.
  public var isCutBySilence: Bool { if case .silence = plan.frame.cut { true } else { false } }

  /// As if everything that is sent was answered.
  public mutating func forgetQueue() { queue = ExchangeQueue() }

  /// What is sent when the board is connected, in this order, and what is asked after that.
  public var greetings: [[UInt8]] {
    (plan.onConnect + plan.polls.map(\.exchange)).flatMap { plan.parts(of: $0) }
  }
}
