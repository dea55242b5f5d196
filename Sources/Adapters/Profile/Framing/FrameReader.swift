import DeviceModel

/// Cuts what a board sends into messages, by a rule; bounded, whatever comes.
///
/// Give it bytes, then take pieces until there is none. After a message that nobody understands, ``lookAgain()``.
struct FrameReader: Sendable {
  let rule: FrameRule
  private var buffer: [UInt8] = []
  /// Where in the buffer what was not taken begins.
  private var cursor = 0
  /// Where the message that was taken last began.
  private var last = 0
  private var skipped = 0
  /// Of a line that is too long the rest is passed over.
  private var isSkippingLine = false
  private var isSilent = false
  private var packets: [[UInt8]] = []

  init(_ rule: FrameRule) { self.rule = rule }

  enum Piece: Hashable, Sendable {
    /// What stands between marks and before the checksum; `size` is what it took on the wire.
    case message(ArraySlice<UInt8>, size: Int)
    case garbage(bytes: Int, String)
  }

  /// Bytes that belong to no message yet.
  var pending: Int { buffer.count - cursor + skipped }
  /// Time decides about what is pending.
  var isWaiting: Bool { buffer.count > cursor }

  mutating func reset() {
    self = FrameReader(rule)
  }

  mutating func append(_ bytes: [UInt8]) {
    guard rule.cut != .packet else { return packets.append(bytes) }
    if cursor > 0 {
      buffer.removeFirst(cursor)
      cursor = 0
      last = 0
    }
    buffer += bytes
  }

  /// The line has been silent: for ``FrameRule/Cut/silence(_:)`` this ends a message, for the others it gives up the
  /// beginning of one.
  mutating func fallSilent() { isSilent = true }

  mutating func next() -> Piece? {
    if case .packet = rule.cut { return packet() }
    while cursor < buffer.count {
      switch look() {
      case .message(let content, let size):
        if let garbage = garbage() { return garbage }
        last = cursor
        cursor += size
        guard let content else { continue }
        return .message(content, size: size)
      case .wrong(let size, let why):
        skip(size, why)
      case .nothing(let size): cursor += size
      case .incomplete:
        guard isSilent else { return garbage() }
        skip(buffer.count - cursor, "the rest of a message did not come")
      }
    }
    isSilent = false
    return garbage()
  }

  /// The message that was taken last is none: the next may begin a byte later.
  mutating func lookAgain(_ why: String) {
    cursor = last
    skip(1, why)
  }

  private var why = ""

  private mutating func skip(_ size: Int, _ reason: String) {
    if skipped == 0 { why = reason }
    skipped += size
    cursor += size
  }

  private mutating func garbage() -> Piece? {
    guard skipped > 0 else { return nil }
    defer { skipped = 0 }
    return .garbage(bytes: skipped, why)
  }

  private enum Look {
    /// nil: an empty message, which is none.
    case message(ArraySlice<UInt8>?, size: Int)
    case wrong(Int, String)
    /// Line ends between messages.
    case nothing(Int)
    case incomplete
  }

  private mutating func look() -> Look {
    let rest = buffer[cursor...]
    switch rule.cut {
    case .ends(let ends): return line(rest, ends)
    case .silence:
      guard rest.count <= rule.maximum else { return .wrong(rest.count, tooLong) }
      return isSilent ? whole(rest, size: rest.count) : .incomplete
    case .length(let length): return counted(rest) { _ in length }
    case .prefix(let offset, let format, let added):
      return counted(rest) { rest in
        guard rest.count >= offset + format.size else { return nil }
        return format.integer(in: rest.dropFirst(offset).prefix(format.size)) + added
      }
    case .tags(let tags):
      guard let tag = tags.first(where: { rest.starts(with: $0.text) }) else {
        let isBeginning = tags.contains { $0.text.count > rest.count && $0.text.starts(with: rest) }
        return isBeginning ? .incomplete : .wrong(1, "no message begins like this")
      }
      return rest.count < tag.length ? .incomplete : whole(rest.prefix(tag.length), size: tag.length)
    case .search(let patterns): return found(rest, patterns)
    case .packet: return .incomplete
    }
  }

  private var tooLong: String { "a message is longer than \(rule.maximum) bytes" }

  private mutating func line(_ rest: ArraySlice<UInt8>, _ ends: [[UInt8]]) -> Look {
    var content = rest
    if !rule.start.isEmpty {
      guard let begin = rest.firstRange(of: rule.start) else {
        let held = Self.overlap(of: rest, with: rule.start)
        return held == rest.count ? .incomplete : .wrong(rest.count - held, "no message begins here")
      }
      guard begin.lowerBound == rest.startIndex else {
        return .wrong(begin.lowerBound - rest.startIndex, "it is between two messages")
      }
      content = rest[begin.upperBound...]
    }
    var first: Range<Int>?
    for end in ends {
      guard let range = content.firstRange(of: end) else { continue }
      if first == nil || range.lowerBound < first?.lowerBound ?? 0 { first = range }
    }
    guard let first else {
      guard content.count > rule.maximum else { return .incomplete }
      isSkippingLine = rule.start.isEmpty
      return .wrong(rule.start.isEmpty ? rest.count : 1, tooLong)
    }
    let size = first.upperBound - rest.startIndex
    if isSkippingLine || content.startIndex..<first.lowerBound ~= content.startIndex + rule.maximum {
      isSkippingLine = false
      return .wrong(rule.start.isEmpty ? size : 1, tooLong)
    }
    var body = rest[..<first.lowerBound]
    if rule.start.isEmpty {
      if body.last == 0x0D, first.count == 1, rest[first.lowerBound] == 0x0A { body.removeLast() }
      if body.isEmpty { return .message(nil, size: size) }
    }
    return whole(body, size: size)
  }

  /// How many bytes at the end may be the beginning of `mark`.
  private static func overlap(of bytes: ArraySlice<UInt8>, with mark: [UInt8]) -> Int {
    for count in stride(from: min(bytes.count, mark.count - 1), to: 0, by: -1)
    where mark.starts(with: bytes.suffix(count)) { return count }
    return 0
  }

  private func counted(_ rest: ArraySlice<UInt8>, length: (ArraySlice<UInt8>) -> Int?) -> Look {
    if !rest.starts(with: rule.start) {
      let isBeginning = rule.start.count > rest.count && rule.start.starts(with: rest)
      return isBeginning ? .incomplete : .wrong(1, "no message begins here")
    }
    guard let length = length(rest) else { return .incomplete }
    guard length <= rule.maximum, length > rule.start.count else {
      return .wrong(1, "a message of \(length) bytes")
    }
    return rest.count < length ? .incomplete : whole(rest.prefix(length), size: length)
  }

  private mutating func packet() -> Piece? {
    guard !packets.isEmpty else { return nil }
    let packet = packets.removeFirst()
    guard packet.count <= rule.maximum else { return .garbage(bytes: packet.count, tooLong) }
    switch whole(packet[...], size: packet.count) {
    case .message(let content?, let size): return .message(content, size: size)
    case .wrong(let size, let why): return .garbage(bytes: size, why)
    default: return self.packet()
    }
  }

  /// From the start mark up to and with the checksum, to what it says.
  private func whole(_ message: ArraySlice<UInt8>, size: Int) -> Look {
    var message = message
    if rule.isHexadecimal {
      let digits = message.dropFirst(rule.start.count)
      guard let bytes = [UInt8](spacedHexadecimal: digits) else {
        return .wrong(size, "a message is no pairs of hexadecimal digits")
      }
      message = (rule.start + bytes)[...]
    }
    if let checksum = rule.checksum {
      guard let verified = checksum.verified(message) else {
        return .wrong(rule.isLookedForAgain ? 1 : size, "the checksum of a message does not fit")
      }
      message = verified
    }
    return .message(message.dropFirst(rule.start.count), size: size)
  }

  /// A message counts only when nothing follows, a line's end, or what begins another.
  private func found(_ rest: ArraySlice<UInt8>, _ patterns: [Pattern]) -> Look {
    let input = rest.prefix(rule.maximum + 1).map { UInt32($0) }
    var isBeginning = false
    for pattern in patterns {
      switch pattern.reach(in: input, from: 0) {
      case .match(let length, _) where length > 0:
        let isEnd = length == input.count || input[length] == 0x0A || input[length] == 0x0D
        if isEnd || patterns.contains(where: { $0.reach(in: input, from: length) != .none }) {
          return whole(rest.prefix(length), size: length)
        }
      case .beginning where input.count <= rule.maximum: isBeginning = true
      default: break
      }
    }
    if isBeginning { return .incomplete }
    if skipped == 0, rest.first == 0x0A || rest.first == 0x0D { return .nothing(1) }
    return .wrong(1, "no message is like this")
  }
}

extension ArraySlice<UInt8> {
  /// Where `part` first is, which is not empty.
  fileprivate func firstRange(of part: [UInt8]) -> Range<Int>? {
    guard let first = part.first else { return nil }
    var index = startIndex
    while let found = self[index...].firstIndex(of: first) {
      if self[found...].starts(with: part) { return found..<found + part.count }
      index = found + 1
    }
    return nil
  }
}
