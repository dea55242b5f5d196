import DeviceModel

extension LineForm {
  /// CRC-16/IBM-3740: polynomial 1021, start FFFF, nothing reflected, no final exclusive-or.
  enum Checksum {
    static func sum(of bytes: some Sequence<UInt8>) -> UInt16 {
      var sum: UInt16 = 0xFFFF
      for byte in bytes {
        sum ^= UInt16(byte) << 8
        for _ in 0..<8 { sum = sum & 0x8000 == 0 ? sum << 1 : sum << 1 ^ 0x1021 }
      }
      return sum
    }

    /// Four lower-case hexadecimal digits.
    static func digits(of bytes: some Sequence<UInt8>) -> [UInt8] {
      let sum = sum(of: bytes)
      return stride(from: 12, through: 0, by: -4).map { UInt8(sum >> UInt16($0) & 0xF).hexadecimalDigit }
    }
  }

  /// Lower-case digits only.
  static func hexadecimalValue(_ digit: UInt8) -> UInt8? {
    digit.hexadecimalValue.flatMap { $0.hexadecimalDigit == digit ? $0 : nil }
  }
}
