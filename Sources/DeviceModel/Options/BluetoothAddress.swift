/// A 48-bit Bluetooth device address, in any of the ways in which people write one.
public struct BluetoothAddress: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The address as a number: `00:00:00:00:00:01` is 1.
  public let bits: UInt64

  /// Only the lower 48 bits count.
  public init(bits: UInt64) { self.bits = bits & 0xFFFF_FFFF_FFFF }

  /// Six pairs of hexadecimal digits in either case: `C0:DE:00:00:00:01`, `c0-de-00-00-00-01`,
  /// `C0DE00000001`; nil for anything else.
  public init?(_ text: String) {
    let separators: [Character] = [":", "-", "_", ".", " "]
    let characters = Array(text)
    var bits: UInt64 = 0
    if characters.count == 12 {
      guard let number = UInt64(hexadecimal: characters) else { return nil }
      bits = number
    } else {
      guard characters.count == 17, separators.contains(characters[2]) else { return nil }
      for start in stride(from: 0, to: 17, by: 3) {
        guard start == 0 || characters[start - 1] == characters[2],
          let octet = UInt64(hexadecimal: characters[start..<start + 2])
        else { return nil }
        bits = bits << 8 | octet
      }
    }
    self.init(bits: bits)
  }

  /// Capitals and colons: `C0:DE:00:00:00:01`.
  public var description: String {
    stride(from: 40, through: 0, by: -8).map { UInt8(truncatingIfNeeded: bits >> $0) }
      .capitalHexadecimal(separator: ":")
  }

  public static func < (left: BluetoothAddress, right: BluetoothAddress) -> Bool { left.bits < right.bits }
}

extension UInt64 {
  /// Unlike `init(_:radix:)` it takes no sign.
  fileprivate init?(hexadecimal digits: some Collection<Character>) {
    guard digits.allSatisfy({ $0.isASCII && $0.isHexDigit }) else { return nil }
    self.init(String(digits), radix: 16)
  }
}
