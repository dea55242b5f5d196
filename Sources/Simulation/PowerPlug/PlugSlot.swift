/// One activation as it lies in the board's memory: 29 bytes, packed, little-endian.
///
/// Name (21 bytes, ends at the first NUL, empty = free slot), start (uint32, seconds since 1970 UTC),
/// length and period (uint16, minutes; period 0 = once).
public struct PlugSlot: Hashable, Sendable {
  public static let size = 29
  /// Bytes of the name, its NUL included.
  public static let nameSize = 21

  static let startOffset = 21
  static let lengthOffset = 25
  static let periodOffset = 27

  /// Exactly ``size`` bytes.
  public let bytes: [UInt8]

  public static let free = PlugSlot(unchecked: [UInt8](repeating: 0, count: size))

  /// A slot with any content, also what no owner would write; nil unless there are exactly ``size`` bytes.
  public init?(bytes: some Collection<UInt8>) {
    guard bytes.count == Self.size else { return nil }
    self.init(unchecked: Array(bytes))
  }

  /// A slot as an owner fills it. A longer name is cut after 20 bytes, as `strncpy` would.
  public init(name: String, start: UInt32, lengthMinutes: UInt16, periodMinutes: UInt16) {
    var bytes = Array(name.utf8.prefix(Self.nameSize - 1))
    bytes += [UInt8](repeating: 0, count: Self.nameSize - bytes.count)
    bytes += (0..<4).map { UInt8(truncatingIfNeeded: start >> ($0 * 8)) }
    bytes += [lengthMinutes, periodMinutes].flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
    self.init(unchecked: bytes)
  }

  private init(unchecked bytes: [UInt8]) { self.bytes = bytes }

  public var isFree: Bool { bytes[0] == 0 }
  /// Up to the first NUL, or all 21 bytes where there is none; what is not ASCII is replaced.
  public var name: String {
    String(decoding: bytes.prefix(Self.nameSize).prefix { $0 != 0 }, as: UTF8.self)
  }
  public var start: UInt32 { bytes.unsigned32(at: Self.startOffset) }
  public var lengthMinutes: UInt16 { bytes.unsigned16(at: Self.lengthOffset) }
  public var periodMinutes: UInt16 { bytes.unsigned16(at: Self.periodOffset) }
}

extension [UInt8] {
  func unsigned16(at offset: Int) -> UInt16 { UInt16(self[offset]) | UInt16(self[offset + 1]) << 8 }

  func unsigned32(at offset: Int) -> UInt32 {
    UInt32(unsigned16(at: offset)) | UInt32(unsigned16(at: offset + 2)) << 16
  }

  mutating func setUnsigned32(_ value: UInt32, at offset: Int) {
    for index in 0..<4 { self[offset + index] = UInt8(truncatingIfNeeded: value >> (index * 8)) }
  }
}
