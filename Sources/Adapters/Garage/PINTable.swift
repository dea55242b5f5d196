/// The board's answer to `P`: a notification for each PIN, its index and five characters; the index FF ends it.
struct PINTable: Hashable, Sendable {
  private(set) var pins: [Int: GaragePIN] = [:]
  private(set) var isComplete = false
  private var entries = 0
  private var rest: [UInt8] = []

  /// The end's byte leaves so many indices.
  static let most = 254
  static let end: UInt8 = 0xFF
  static let entryLength = 1 + GaragePIN.length

  /// Entries may come in pieces or several at once.
  ///
  /// - Returns: how many bytes came behind the end.
  mutating func receive(_ bytes: [UInt8]) -> Int {
    guard !isComplete else { return bytes.count }
    var index = 0
    while index < bytes.count {
      if rest.isEmpty, bytes[index] == Self.end {
        isComplete = true
        // The end may be filled up to an entry's length.
        let behind = bytes.count - index - 1
        return behind == GaragePIN.length ? 0 : behind
      }
      rest.append(bytes[index])
      index += 1
      guard rest.count == Self.entryLength else { continue }
      entries += 1
      if let pin = GaragePIN(stored: rest.dropFirst()) { pins[Int(rest[0])] = pin }
      rest.removeAll(keepingCapacity: true)
    }
    return 0
  }

  /// There are no so many indices: the board is saying something else.
  var isOverrun: Bool { entries > Self.most + 1 }

  /// Nothing of it has come.
  var isEmpty: Bool { pins.isEmpty && rest.isEmpty && !isComplete }

  /// Of the lowest index; the master PIN's place is no one's.
  func index(of pin: GaragePIN) -> Int? { pins.filter { $0.value == pin && $0.key != 0 }.keys.min() }
}
