import DeviceModel

/// How bytes of a board stand in a payload.
package enum ByteEncoding: String, Hashable, Sendable, CaseIterable {
  /// The bytes themselves.
  case text
  /// Two digits a byte, written in lower case, read in either; spaces are passed over when read.
  case hex
  /// RFC 4648 with padding; line ends around it are passed over when read.
  case base64

  package func encode(_ bytes: [UInt8]) -> [UInt8] {
    switch self {
    case .text: return bytes
    case .hex: return bytes.hexadecimalDigits
    case .base64: return Self.base64(bytes)
    }
  }

  package func decode(_ payload: [UInt8]) throws(ByteEncodingError) -> [UInt8] {
    switch self {
    case .text: return payload
    case .hex: return try Self.fromHex(payload)
    case .base64: return try Self.fromBase64(payload)
    }
  }

  private static func fromHex(_ payload: [UInt8]) throws(ByteEncodingError) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(payload.count / 2)
    var high: UInt8?
    for (index, character) in payload.enumerated() {
      switch character {
      case 0x20, 0x09, 0x0A, 0x0D: continue
      default: break
      }
      guard let nibble = character.hexadecimalValue else { throw .wrongCharacter(at: index) }
      if let first = high {
        bytes.append(first << 4 | nibble)
        high = nil
      } else {
        high = nibble
      }
    }
    guard high == nil else { throw .oddDigits }
    return bytes
  }

  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let padding = UInt8(ascii: "=")

  private static func base64(_ bytes: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let part = bytes[start..<min(start + 3, bytes.count)]
      let group = part.reduce(0) { $0 << 8 | UInt32($1) } << (8 * UInt32(3 - part.count))
      for place in 0..<4 {
        text.append(
          place <= part.count ? alphabet[Int(group >> (18 - 6 * UInt32(place))) & 0x3F] : padding)
      }
    }
    return text
  }

  private static func fromBase64(_ payload: [UInt8]) throws(ByteEncodingError) -> [UInt8] {
    let isLineEnd: (UInt8) -> Bool = { $0 == 0x0A || $0 == 0x0D }
    let start = payload.firstIndex { !isLineEnd($0) } ?? payload.endIndex
    let end = payload.lastIndex { !isLineEnd($0) }.map { $0 + 1 } ?? start
    let text = payload[start..<end]
    let padding = text.suffix(2).count { $0 == Self.padding }
    guard text.count.isMultiple(of: 4) else { throw .incompleteGroup }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3)
    var group: UInt32 = 0
    for (index, character) in text.enumerated() {
      let isPadding = index >= text.count - padding
      guard let sextet = isPadding ? 0 : value(of: character), !isPadding || character == Self.padding else {
        throw .wrongCharacter(at: start + index)
      }
      group = group << 6 | UInt32(sextet)
      guard index % 4 == 3 else { continue }
      for shift: UInt32 in [16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: group >> shift)) }
      group = 0
    }
    let unused = bytes.suffix(padding)
    // Bits behind the last byte that are not 0 belong to no encoder's output.
    guard unused.allSatisfy({ $0 == 0 }) else { throw .wrongCharacter(at: end - padding - 1) }
    bytes.removeLast(padding)
    return bytes
  }

  private static func value(of character: UInt8) -> UInt8? {
    switch character {
    case 0x41...0x5A: character - 0x41
    case 0x61...0x7A: character - 0x61 + 26
    case 0x30...0x39: character - 0x30 + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}

/// Why a payload is not in its encoding.
package enum ByteEncodingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Counted from 0, in bytes of the payload.
  case wrongCharacter(at: Int)
  case oddDigits
  case incompleteGroup

  package var description: String {
    switch self {
    case .wrongCharacter(let place): "byte \(place) has no place there"
    case .oddDigits: "the last byte has one digit only"
    case .incompleteGroup: "its length is no multiple of four"
    }
  }
}
