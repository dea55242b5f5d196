import DeviceModel
import JSON

extension LineForm {
  /// A value as it stands in a line, before it is known whose it is.
  enum BareValue: Hashable, Sendable {
    case unknown
    case number(Double)
    case text(String)
    /// What is at one place of a table; nil for nothing.
    case row(place: Int, Value.Members?)
  }
}

extension LineForm.BareValue {
  init(_ bytes: ArraySlice<UInt8>) throws(LineForm.Malformation) {
    if bytes.elementsEqual("?".utf8) {
      self = .unknown
    } else if bytes.first == UInt8(ascii: "\"") {
      self = .text(try LineForm.unescaped(bytes.dropFirst(), "a text"))
    } else if let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
      let place = LineForm.small(bytes[..<colon], digits: 2, limit: LineForm.mostRows - 1)
    {
      self = .row(place: place, try LineForm.row(bytes[(colon + 1)...]))
    } else if let number = LineForm.number(bytes) {
      self = .number(number)
    } else {
      throw .malformed("a value is ?, a number, or a quotation mark and a text")
    }
  }
}

extension LineForm {
  /// A flat JSON object with a name, or nil for `null`.
  private static func row(_ bytes: ArraySlice<UInt8>) throws(Malformation) -> Value.Members? {
    let text = try unescaped(bytes, "a row")
    if text == "null" { return nil }
    guard case .object(let row)? = try? JSON.parse(text, limits: .init(size: 1000, depth: 2)),
      row.isFlat, case .text(let name)? = row["name"], !name.isEmpty
    else { throw .malformed("a table's row is null, or a flat JSON object with a name") }
    return row
  }

  /// 1 to 10 digits, after a `-` if negative, before a point and 1 to 6 decimals if a fraction.
  static func number(_ bytes: ArraySlice<UInt8>) -> Double? {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    let magnitude = bytes.first == UInt8(ascii: "-") ? bytes.dropFirst() : bytes
    let whole = magnitude.prefix { digits.contains($0) }
    guard (1...10).contains(whole.count) else { return nil }
    let rest = magnitude[whole.endIndex...]
    if let point = rest.first {
      let decimals = rest.dropFirst()
      guard point == UInt8(ascii: "."), (1...6).contains(decimals.count),
        decimals.allSatisfy({ digits.contains($0) })
      else { return nil }
    }
    return Double(String(decoding: bytes, as: UTF8.self))
  }

  /// Digits only, `most` of them; nil for more than `limit` too.
  static func small(_ bytes: ArraySlice<UInt8>, digits most: Int = 5, limit: Int) -> Int? {
    guard (1...most).contains(bytes.count) else { return nil }
    var number = 0
    for byte in bytes {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
      number = number * 10 + Int(byte - UInt8(ascii: "0"))
    }
    return number <= limit ? number : nil
  }

  /// Without an exponent, a zero behind the decimals, or a minus zero.
  ///
  /// - Parameter decimals: 0 to 6; the value is rounded to them.
  static func text(of number: Double, decimals: Int = 6) -> String {
    let scale = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000][min(max(decimals, 0), 6)]
    let units = (number * Double(scale)).rounded()
    guard units.magnitude < 1e16 else { return number < 0 ? "-9999999999" : "9999999999" }
    let magnitude = Int64(units.magnitude)
    let whole = magnitude / Int64(scale)
    var text = units < 0 ? "-\(whole)" : "\(whole)"
    var fraction = magnitude % Int64(scale)
    guard fraction > 0 else { return text }
    var width = String(scale).utf8.count - 1
    while fraction % 10 == 0 {
      fraction /= 10
      width -= 1
    }
    let digits = String(fraction)
    text += "." + String(repeating: "0", count: width - digits.utf8.count) + digits
    return text
  }
}

extension Value.Members {
  /// Without lists and objects in it.
  var isFlat: Bool {
    pairs.allSatisfy { member in
      switch member.value {
      case .list, .object: false
      default: true
      }
    }
  }
}
