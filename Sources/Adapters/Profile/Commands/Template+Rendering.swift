import DeviceModel

extension Template {
  /// Where a template's values come from.
  struct Values {
    /// The command's own value, and what the board calls it.
    var value: Value = .unknown
    var word: String?
    /// What the board calls a property's present value; nil while that is not known.
    var wordOf: (PropertyKey) -> String? = { _ in nil }
  }

  /// The bytes to send. Throws `not_now` for a value that is not known yet, `out_of_range` for a number that the form
  /// has no room for, and `invalid` for what cannot be written in it.
  func bytes(_ values: Values) throws(Rejection) -> [UInt8] {
    var bytes: [UInt8] = []
    for piece in pieces {
      switch piece {
      case .bytes(let literal): bytes += literal
      case .slot(let slot): bytes += try Self.bytes(slot, values)
      }
    }
    return bytes
  }

  private static func bytes(_ slot: Slot, _ values: Values) throws(Rejection) -> [UInt8] {
    let word = try word(slot, values)
    switch slot.form {
    case .plain:
      guard word.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
        throw Rejection(.invalid, "a line end or another control character would be a command of its own")
      }
      return Array(word.utf8)
    case .digits(let count):
      let number = try number(word)
      let digits = String(Int64(number.magnitude.rounded()))
      let zeros = String(repeating: "0", count: max(0, count - digits.count))
      return Array(((number < 0 ? "-" : "") + zeros + digits).utf8)
    case .decimals(let places): return Array(decimal(try number(word), places).utf8)
    case .hexadecimal(let count, let isUpper):
      let number = try number(word)
      guard number >= 0, number < 4_294_967_296,
        case let digits = String(UInt64(number.rounded()), radix: 16, uppercase: isUpper),
        digits.count <= count
      else { throw Rejection(.outOfRange, "\(number.shortest) needs more than \(count) hexadecimal digits") }
      return Array((String(repeating: "0", count: count - digits.count) + digits).utf8)
    case .bytes(let format):
      let number = try number(word)
      guard let bytes = format.bytes(of: number) else {
        let range = "\(format.range.lowerBound.shortest) to \(format.range.upperBound.shortest)"
        throw Rejection(.outOfRange, "\(number.shortest) is not from \(range)")
      }
      return bytes
    case .hexWord:
      guard let bytes = [UInt8](spacedHexadecimal: word.utf8), !bytes.isEmpty else {
        throw Rejection(.invalid, "'\(word.excerpt)' is no pairs of hexadecimal digits")
      }
      return bytes
    case .ascii(let size):
      let bytes = Array(word.utf8)
      guard bytes.allSatisfy({ (0x20..<0x7F).contains($0) }) else {
        throw Rejection(.invalid, "'\(word.excerpt)' is not ASCII")
      }
      guard bytes.count < size else {
        throw Rejection(.tooLarge, "'\(word.excerpt)' has more than \(size - 1) characters")
      }
      return bytes + Array(repeating: 0, count: size - bytes.count)
    }
  }

  private static func word(_ slot: Slot, _ values: Values) throws(Rejection) -> String {
    switch slot.name {
    case .value(let path) where path.isEmpty:
      if let word = values.word ?? slot.fallback { return word }
      throw Rejection(.invalid, "the board has no word for \(values.value.briefly.excerpt)")
    case .value(let path):
      var value = values.value
      for name in path {
        guard case .object(let members) = value, let member = members[name] else {
          if let fallback = slot.fallback { return fallback }
          throw Rejection(.invalid, "the object has no '\(path.joined(separator: "."))'")
        }
        value = member
      }
      switch value {
      case .text, .integer, .number: return value.word
      case .boolean(let isTrue): return isTrue ? "1" : "0"
      case .unknown, .list, .object:
        throw Rejection(.invalid, "'\(path.joined(separator: "."))' is \(value.briefly)")
      }
    case .property(let key):
      if let word = values.wordOf(key) ?? slot.fallback { return word }
      throw Rejection(.notNow, "\(key) is sent along, and is not known yet: set it first")
    }
  }

  private static func number(_ word: String) throws(Rejection) -> Double {
    guard let number = DecimalNumber.parse(word), number.isFinite, number.magnitude < 1e15 else {
      throw Rejection(.invalid, "'\(word.excerpt)' is no number")
    }
    return number
  }

  private static func decimal(_ number: Double, _ places: Int) -> String {
    let power = (0..<places).reduce(1.0) { power, _ in power * 10 }
    let scaled = (number.magnitude * power).rounded()
    guard scaled < 9e18 else { return number.shortest }
    var digits = String(Int64(scaled))
    if places > 0 {
      if digits.count <= places { digits = String(repeating: "0", count: places + 1 - digits.count) + digits }
      let point = digits.index(digits.endIndex, offsetBy: -places)
      digits = digits[..<point] + "." + digits[point...]
    }
    return (number < 0 && scaled > 0 ? "-" : "") + digits
  }
}
