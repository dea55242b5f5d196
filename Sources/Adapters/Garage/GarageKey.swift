import DeviceModel

/// What the bridge and a newer board share, and nobody else. It shows itself to nobody who does not ask for the bytes.
struct GarageKey: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  let bytes: [UInt8]

  static let length = 32
  static let digits = 2 * length

  /// 64 hexadecimal digits in either case; nil for anything else.
  init?(_ text: String) {
    guard text.utf8.count == Self.digits, let bytes = [UInt8](hexadecimal: text) else { return nil }
    self.bytes = bytes
  }

  /// It is counted, repeated or made up, as those of examples are. Of 32 bytes by chance 30 differ, and never as few as
  /// 20.
  var canBeGuessed: Bool { bytes.isCounted || Set(bytes).count <= 20 }

  var description: String { "(secret)" }
  var customMirror: Mirror { Mirror(self, children: []) }
}

extension [UInt8] {
  /// Each is as much more than the one before.
  var isCounted: Bool { Set(zip(self, dropFirst()).map { $1 &- $0 }).count == 1 }
}
