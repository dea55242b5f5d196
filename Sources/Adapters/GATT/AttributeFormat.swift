import Glibc

/// How a characteristic's bytes are a value. Numbers are little-endian, as Bluetooth has them.
enum AttributeFormat: Hashable, Sendable {
  /// 1 to 4 bytes.
  case unsigned(bytes: Int)
  case signed(bytes: Int)
  /// A signed fixed-point number of 2 or 4 bytes, half of its bits behind the point.
  case fixed(bytes: Int)
  /// IEEE 754, 4 bytes.
  case float
  /// IEEE 11073 SFLOAT, 2 bytes: a decimal exponent of 4 bits and a mantissa of 12.
  case shortFloat
  /// All bytes that there are, without NUL at the end.
  case text
  /// One bit, counted from the lowest of the first byte.
  case bit

  static let words: [(word: String, format: AttributeFormat)] = [
    ("uint8", .unsigned(bytes: 1)), ("uint16", .unsigned(bytes: 2)), ("uint24", .unsigned(bytes: 3)),
    ("uint32", .unsigned(bytes: 4)), ("int8", .signed(bytes: 1)), ("int16", .signed(bytes: 2)),
    ("int24", .signed(bytes: 3)), ("int32", .signed(bytes: 4)), ("sfixed", .fixed(bytes: 2)),
    ("sfixed16", .fixed(bytes: 2)), ("sfixed32", .fixed(bytes: 4)), ("float32", .float),
    ("sfloat", .shortFloat), ("utf8", .text), ("bit", .bit),
  ]

  init?(_ word: String) {
    guard let format = Self.words.first(where: { $0.word == word })?.format else { return nil }
    self = format
  }

  /// Nil for a text, which takes what there is, and for a bit, which may be in any byte.
  var size: Int? {
    switch self {
    case .unsigned(let bytes), .signed(let bytes), .fixed(let bytes): bytes
    case .float: 4
    case .shortFloat: 2
    case .text, .bit: nil
    }
  }

  var isNumber: Bool { size != nil }

  /// The number in `bytes`, which are as many as ``size`` says; nil for one that is no number.
  func number(in bytes: ArraySlice<UInt8>) -> Double? {
    switch self {
    case .unsigned: return Double(Self.unsigned(bytes))
    case .signed: return Double(Self.signed(bytes))
    case .fixed(let size): return Double(Self.signed(bytes)) / Self.one(size)
    case .float:
      let number = Float(bitPattern: UInt32(Self.unsigned(bytes)))
      return number.isFinite ? Double(number) : nil
    case .shortFloat: return Self.shortFloat(UInt16(Self.unsigned(bytes)))
    case .text, .bit: return nil
    }
  }

  /// Nil for what does not fit.
  func bytes(of number: Double) -> [UInt8]? {
    switch self {
    case .unsigned(let size):
      return Self.bytes(number.rounded(), size, 0...Double(1 << (8 * size) - 1))
    case .signed(let size): return Self.bytes(number.rounded(), size, Self.range(size))
    case .fixed(let size): return Self.bytes((number * Self.one(size)).rounded(), size, Self.range(size))
    case .float:
      let float = Float(number)
      return float.isFinite ? Self.bytes(UInt64(float.bitPattern), 4) : nil
    case .shortFloat: return Self.bytes(ofShortFloat: number)
    case .text, .bit: return nil
    }
  }

  private static func one(_ size: Int) -> Double { Double(1 << (4 * size)) }

  private static func range(_ size: Int) -> ClosedRange<Double> {
    let half = Double(1 << (8 * size - 1))
    return -half...(half - 1)
  }

  private static func unsigned(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  private static func signed(_ bytes: ArraySlice<UInt8>) -> Int64 {
    let shift = 64 - 8 * bytes.count
    return (Int64(bitPattern: unsigned(bytes)) << shift) >> shift
  }

  private static func bytes(_ number: Double, _ size: Int, _ range: ClosedRange<Double>) -> [UInt8]? {
    range.contains(number) ? bytes(UInt64(bitPattern: Int64(number)), size) : nil
  }

  private static func bytes(_ bits: UInt64, _ size: Int) -> [UInt8] {
    (0..<size).map { UInt8(truncatingIfNeeded: bits >> (8 * $0)) }
  }

  /// Five mantissas around the limit stand for no number, for too large ones, and for what is not at this resolution.
  private static func shortFloat(_ bits: UInt16) -> Double? {
    let mantissa = Int16(bitPattern: bits << 4) >> 4
    if (2046...2047).contains(mantissa) || mantissa <= -2046 { return nil }
    return Double(mantissa) * pow(10, Double(Int16(bitPattern: bits) >> 12))
  }

  /// With as many digits as there is room for.
  private static func bytes(ofShortFloat number: Double) -> [UInt8]? {
    for exponent in -8...7 {
      let mantissa = (number / pow(10, Double(exponent))).rounded()
      guard (-2045...2045).contains(mantissa) else { continue }
      let bits = UInt16(bitPattern: Int16(exponent)) << 12 | UInt16(bitPattern: Int16(mantissa)) & 0x0FFF
      return bytes(UInt64(bits), 2)
    }
    return nil
  }
}
