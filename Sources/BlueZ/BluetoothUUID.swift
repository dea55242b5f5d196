/// The number of a service or characteristic: 128 bits, of which the standard ones are written as 16 or 32.
public struct BluetoothUUID: Hashable, Sendable, CustomStringConvertible {
  /// Lower case, 128 bits, with dashes: as BlueZ writes it.
  public let text: String

  /// `ffe0`, `0000ffe0` or all 36 characters, in either case; nil for anything else.
  public init?(_ text: String) {
    let lower = text.lowercased()
    switch lower.utf8.count {
    case 4: self.text = "0000" + lower + Self.standardTail
    case 8: self.text = lower + Self.standardTail
    case 36: self.text = lower
    default: return nil
    }
    for (index, byte) in self.text.utf8.enumerated() {
      switch index {
      case 8, 13, 18, 23: if byte != UInt8(ascii: "-") { return nil }
      default: if !Self.hexadecimalDigits.contains(byte) { return nil }
      }
    }
  }

  init(known text: String) { self.text = text }

  /// Short for standard numbers, such as `ffe0`.
  public var description: String {
    guard text.hasSuffix(Self.standardTail) else { return text }
    let number = text.prefix(8)
    return String(number.hasPrefix("0000") ? number.dropFirst(4) : number)
  }

  private static let standardTail = "-0000-1000-8000-00805f9b34fb"
  private static let hexadecimalDigits = Set("0123456789abcdef".utf8)
}
