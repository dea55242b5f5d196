/// What Bluetooth names services and characteristics by: 128 bits.
public struct BluetoothUUID: Hashable, Sendable, CustomStringConvertible {
  private let high: UInt64
  private let low: UInt64

  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// One that Bluetooth has assigned a number (Core, volume 3, part B, 2.5.1).
  public init(assigned number: UInt32) {
    self.init(high: UInt64(number) << 32 | 0x0000_1000, low: 0x8000_0080_5F9B_34FB)
  }

  /// 4 or 8 hexadecimal digits for an assigned number (`FFE0`), or 32, with or without dashes, in either case;
  /// nil for anything else.
  public init?(_ text: String) {
    let characters = text.utf8
    let hasDashes = characters.count == 36
    guard hasDashes || characters.count <= 32 else { return nil }
    var high: UInt64 = 0
    var low: UInt64 = 0
    var digits = 0
    // Each advertisement is full of them: no text is made of parts.
    for (place, character) in characters.enumerated() {
      if hasDashes, place == 8 || place == 13 || place == 18 || place == 23 {
        guard character == UInt8(ascii: "-") else { return nil }
        continue
      }
      guard let digit = character.hexadecimalValue.map(UInt64.init) else { return nil }
      if digits < 16 { high = high << 4 | digit } else { low = low << 4 | digit }
      digits += 1
    }
    switch digits {
    case 4, 8: self.init(assigned: UInt32(truncatingIfNeeded: high))
    case 32: self.init(high: high, low: low)
    default: return nil
    }
  }

  /// 16 bytes, the first written one first; nil for another count.
  public init?(bytes: some Collection<UInt8>) {
    guard bytes.count == 16 else { return nil }
    func word(_ bytes: some Sequence<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
    self.init(high: word(bytes.prefix(8)), low: word(bytes.suffix(8)))
  }

  /// 16, as they are written.
  public var bytes: [UInt8] {
    [high, low].flatMap { word in
      stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> $0) }
    }
  }

  /// Lower case, with dashes: as BlueZ writes it.
  public var description: String {
    let digits = Array("0123456789abcdef")
    var text = ""
    for (word, dashes) in [(high, [8, 12]), (low, [0, 4])] {
      for place in 0..<16 {
        if dashes.contains(place) { text.append("-") }
        text.append(digits[Int(word >> UInt64(60 - 4 * place) & 0xF)])
      }
    }
    return text
  }

  /// Four or eight digits for an assigned number, else the long form: for a person to read.
  public var short: String {
    let text = description
    guard text.hasSuffix("-0000-1000-8000-00805f9b34fb") else { return text }
    return String(text.hasPrefix("0000") ? text.dropFirst(4).prefix(4) : text.prefix(8))
  }
}

extension OptionRule {
  /// The text of a checked option is the UUID in its long form.
  public static let bluetoothUUID = OptionRule(
    "UUID", expectation: "a UUID such as FFE0 or 6e400001-b5a3-f393-e0a9-e50e24dcca9e"
  ) { text in
    BluetoothUUID(text).map { .accepted(.text($0.description)) } ?? .refused()
  }
}
