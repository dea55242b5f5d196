import DeviceModel

extension LineForm {
  /// Eight hexadecimal digits: what stands for all that a board is, or an identity.
  struct Token: Hashable, Sendable, CustomStringConvertible {
    var number: UInt32

    init(_ number: UInt32) { self.number = number }

    /// Eight lower-case digits, nothing else.
    init?(_ digits: some Collection<UInt8>) {
      guard digits.count == 8 else { return nil }
      var number: UInt32 = 0
      for digit in digits {
        guard let value = hexadecimalValue(digit) else { return nil }
        number = number << 4 | UInt32(value)
      }
      self.number = number
    }

    var digits: [UInt8] {
      stride(from: 28, through: 0, by: -4).map { UInt8(number >> UInt32($0) & 0xF).hexadecimalDigit }
    }

    var description: String { String(decoding: digits, as: UTF8.self) }
  }
}

extension LineForm.Token {
  /// Of a board: over its hello without the token in it, and all of its descriptions in order.
  ///
  /// - Parameter hello: The body with its token, as it came. Shorter than that is taken as it is.
  init(hello: [UInt8], descriptions: [[UInt8]]) {
    var sum = CyclicSum()
    sum.take(LineForm.mark)
    for (index, byte) in hello.enumerated() where !(3..<12).contains(index) { sum.take(byte) }
    for body in descriptions {
      sum.take(LineForm.mark)
      for byte in body { sum.take(byte) }
    }
    number = sum.result
  }
}

/// CRC-32 as in Ethernet, zip and zlib.
struct CyclicSum: Sendable {
  private var register = UInt32.max

  mutating func take(_ byte: UInt8) {
    register ^= UInt32(byte)
    for _ in 0..<8 { register = register & 1 == 0 ? register >> 1 : register >> 1 ^ 0xEDB8_8320 }
  }

  var result: UInt32 { ~register }
}
