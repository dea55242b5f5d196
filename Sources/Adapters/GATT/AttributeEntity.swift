import DeviceModel

/// One entity made of a characteristic's value, or of a part of it.
struct AttributeEntity: Hashable, Sendable {
  var property: Property
  var format: AttributeFormat
  /// Where it begins in the value, in bytes.
  var place = 0
  /// Of format `bit`, from the lowest of the byte at ``place``.
  var bit = 0
  var scale = 1.0
  var offset = 0.0
  /// The raw number by which the board says that it does not know.
  var unknown: Double?
  var isWritable = false

  var key: PropertyKey { property.key }

  /// - Returns: ``Value/unknown`` for a number that is none.
  func value(in bytes: [UInt8]) throws(AttributeError) -> Value {
    switch format {
    case .text:
      guard bytes.count >= place else { throw .tooShort(needed: place, got: bytes.count) }
      let text = bytes.dropFirst(place)
      let end = text.lastIndex { $0 != 0 }.map { $0 + 1 } ?? text.startIndex
      guard let string = String(validating: text[..<end], as: UTF8.self) else { throw .notText }
      return .text(String(string.unicodeScalars.prefix(Self.longestText).map(Character.init)))
    case .bit:
      let byte = place + bit / 8
      guard byte < bytes.count else { throw .tooShort(needed: byte + 1, got: bytes.count) }
      return .boolean(bytes[byte] >> UInt8(bit % 8) & 1 == 1)
    default:
      let size = format.size ?? 0
      guard bytes.count >= place + size else { throw .tooShort(needed: place + size, got: bytes.count) }
      guard let number = format.number(in: bytes[place..<place + size]), number != unknown else {
        return .unknown
      }
      return .number(rounded(number * scale + offset))
    }
  }

  /// The whole value to write, made of the one that the characteristic has.
  func bytes(of value: Value, in present: [UInt8]?) throws(Rejection) -> [UInt8] {
    var bytes = present ?? []
    switch (format, value) {
    case (.text, .text(let text)):
      let part = Array(text.utf8)
      guard place + part.count <= AttributeOrder.longestValue else {
        throw Rejection(
          .tooLarge, "\(key) takes \(AttributeOrder.longestValue - place) bytes of text at most")
      }
      return try head(of: bytes) + part
    case (.bit, .boolean(let isOn)):
      let byte = place + bit / 8
      if bytes.count <= byte {
        guard byte == 0 else { throw notKnown }
        bytes = [0]
      }
      let mask = UInt8(1) << UInt8(bit % 8)
      bytes[byte] = isOn ? bytes[byte] | mask : bytes[byte] & ~mask
      return bytes
    case (_, .number(let number)):
      guard let part = format.bytes(of: (number - offset) / scale) else {
        throw Rejection(.outOfRange, "\(key) has no room for \(number.shortest)")
      }
      return try head(of: bytes) + part + bytes.dropFirst(place + part.count)
    default: throw Rejection(.invalid, "\(key) does not take \(value.briefly.excerpt)")
    }
  }

  /// What stands before the entity's own part.
  private func head(of bytes: [UInt8]) throws(Rejection) -> [UInt8] {
    guard bytes.count >= place else { throw notKnown }
    return Array(bytes.prefix(place))
  }

  private var notKnown: Rejection {
    Rejection(.notNow, "\(key) is a part of a value that has not been read yet")
  }

  static let longestText = 255

  /// Without the digits that a scale of 0.01 adds to a binary number.
  private func rounded(_ number: Double) -> Double {
    let digits = 1e9
    return number.magnitude < 1e6 ? (number * digits).rounded() / digits : number
  }
}

/// Why a characteristic's bytes are not the value that was declared.
enum AttributeError: Error, Hashable, Sendable, CustomStringConvertible {
  case tooShort(needed: Int, got: Int)
  case notText

  var description: String {
    switch self {
    case .tooShort(let needed, let got): "the value has \(got) bytes, and \(needed) are needed"
    case .notText: "the value is not UTF-8"
    }
  }
}
