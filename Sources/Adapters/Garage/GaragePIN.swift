/// Five characters by which the board knows a sender. They show themselves to nobody who does not ask for the bytes.
struct GaragePIN: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  /// For the wire only.
  let bytes: [UInt8]

  static let length = 5

  /// Takes what a person may choose: five printable ASCII characters; nil for any other text.
  init?(_ text: String) {
    guard text.utf8.count == Self.length, text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
      return nil
    }
    bytes = Array(text.utf8)
  }

  /// Takes what a board may hold: any five bytes.
  init?(stored bytes: some Sequence<UInt8>) {
    self.bytes = Array(bytes)
    if self.bytes.count != Self.length { return nil }
  }

  /// It is among those that are tried first: 00000, 12345, 97531.
  var canBeGuessed: Bool { bytes.isCounted }

  var description: String { "(secret)" }
  var customMirror: Mirror { Mirror(self, children: []) }
}
