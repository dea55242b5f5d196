/// Lines as they go over the wire between a board that describes itself and a bridge.
enum SketchLines {
  /// `~`, the body, its CRC-16/IBM-3740 in four digits, newline.
  static func framed(_ body: String) -> [UInt8] {
    let bytes = Array(body.utf8)
    return [UInt8(ascii: "~")] + bytes + digits(sum(bytes), 4) + [0x0A]
  }

  static func sum(_ bytes: [UInt8]) -> UInt32 {
    var register: UInt32 = 0xFFFF
    for byte in bytes {
      for bit in stride(from: 7, through: 0, by: -1) {
        let isOut = (register >> 15) & 1 != UInt32(byte >> UInt8(bit)) & 1
        register = (register << 1) & 0xFFFF
        if isOut { register ^= 0x1021 }
      }
    }
    return register
  }

  /// CRC-32 of zip, over `~` and each of the bodies in turn.
  static func token(_ bodies: [String]) -> String {
    var register: UInt32 = 0xFFFF_FFFF
    for body in bodies {
      for byte in "~\(body)".utf8 {
        register ^= UInt32(byte)
        for _ in 0..<8 {
          let isOdd = register & 1 == 1
          register >>= 1
          if isOdd { register ^= 0xEDB8_8320 }
        }
      }
    }
    return String(decoding: digits(~register, 8), as: UTF8.self)
  }

  static func digits(_ number: UInt32, _ count: Int) -> [UInt8] {
    let text = String(number, radix: 16)
    return Array((String(repeating: "0", count: max(0, count - text.count)) + text).utf8)
  }

  static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      if scalar.value < 0x20 || scalar == "~" || scalar == "\\" || scalar.value == 0x7F {
        escaped += "\\" + String(decoding: digits(scalar.value, 2), as: UTF8.self)
      } else {
        escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  static func unescaped(_ text: String) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\") else {
        bytes.append(byte)
        continue
      }
      guard rest.count >= 2, let number = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16),
        number > 0, number < 0x80
      else { return nil }
      bytes.append(number)
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }
}

/// Finds a bridge's lines in what arrives, as a board does.
struct SketchLineReader: Sendable {
  private var line: [UInt8]?
  private var isSpoilt = false
  private(set) var broken = 0
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  mutating func reset() {
    line = nil
    isSpoilt = false
  }

  mutating func take(_ bytes: [UInt8]) -> [String] {
    var bodies: [String] = []
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "~"):
        if line != nil { broken += 1 }
        line = []
        isSpoilt = false
      case 0x0A:
        if let line, let body = body(of: line) { bodies.append(body) } else if line != nil { broken += 1 }
        line = nil
      default:
        guard line != nil else { continue }
        line?.append(byte)
        if line?.count ?? 0 > limit + 1 {
          line = nil
          broken += 1
        }
      }
    }
    return bodies
  }

  private func body(of line: [UInt8]) -> String? {
    let text = line.last == 0x0D ? line.dropLast() : line[...]
    guard text.count > 4, text.count <= limit, text.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
      return nil
    }
    let body = Array(text.dropLast(4))
    guard SketchLines.digits(SketchLines.sum(body), 4).elementsEqual(text.suffix(4)) else { return nil }
    return String(validating: body, as: UTF8.self)
  }
}
