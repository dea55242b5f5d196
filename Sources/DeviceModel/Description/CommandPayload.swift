/// What is sent to a property's command topic, made into the value that the property takes.
extension Property {
  /// Reads a bare word, as `mosquitto_pub -m` sends it.
  ///
  /// Words match without regard to case. Throws `invalid` or `out_of_range` with what was expected. For a
  /// structured property the caller reads JSON and calls ``value(from:now:)``.
  ///
  /// - Parameter present: The value before the command, for `TOGGLE`.
  public func value(fromBare text: String, present: Value) throws(Rejection) -> Value {
    switch kind {
    case .text: return try value(from: .text(text), present: present)
    case .number:
      guard let number = Double(decimalText: text.trimmingSpaces()) else {
        throw expected("a number", got: text)
      }
      return try value(from: .number(number), present: present)
    default: return try value(from: .text(text.trimmingSpaces()), present: present)
    }
  }

  /// Reads one member of a JSON `set`.
  public func value(from value: Value, present: Value) throws(Rejection) -> Value {
    switch kind {
    case .switch: return .boolean(try truth(of: value, present: present))
    case .number(let range, _): return .number(try number(of: value, in: range))
    case .select(let options): return try word(of: value, among: options)
    case .lock: return try word(of: value, among: ["LOCK", "UNLOCK"])
    case .cover(_, let canClose, let canStop):
      return try word(of: value, among: ["OPEN"] + (canClose ? ["CLOSE"] : []) + (canStop ? ["STOP"] : []))
    case .button:
      _ = try word(of: value, among: ["PRESS"])
      return .unknown
    case .text(let maximumLength, _):
      guard case .text(let text) = value else { throw expected("a text", got: value.briefly) }
      guard text.count <= maximumLength else {
        throw Rejection(
          .invalid, "\(key) takes at most \(maximumLength) characters, not \(text.count)")
      }
      return value
    case .structured, .command, .infraredEmitter: return value
    // A quantity that is fed from outside.
    case .sensor where isSettable: return .number(try number(of: value, in: .init(-1e12...1e12)))
    case .deviceTracker where isSettable: return value
    case .sensor, .enumeration, .timestamp, .binarySensor, .event, .deviceTracker, .infraredReceiver:
      throw Rejection(.readOnly, "\(key) is only read")
    }
  }

  private func truth(of value: Value, present: Value) throws(Rejection) -> Bool {
    switch value {
    case .boolean(let boolean): return boolean
    case .integer(1): return true
    case .integer(0): return false
    case .text(let text):
      switch text.lowercased() {
      case "on", "true", "1": return true
      case "off", "false", "0": return false
      case "toggle":
        guard case .boolean(let boolean) = present else {
          throw Rejection(.notNow, "\(key) cannot be toggled while its state is not known")
        }
        return !boolean
      default: break
      }
    default: break
    }
    throw expected("ON, OFF or TOGGLE", got: value.briefly)
  }

  private func number(of value: Value, in range: PropertyKind.NumberRange) throws(Rejection) -> Double {
    let number: Double
    switch value {
    case .integer(let integer): number = Double(integer)
    case .number(let double): number = double
    case .text(let text):
      guard let double = Double(decimalText: text) else { throw expected("a number", got: text) }
      number = double
    default: throw expected("a number", got: value.briefly)
    }
    guard (range.minimum...range.maximum).contains(number) else {
      throw Rejection(
        .outOfRange,
        "\(key) takes \(range.minimum.shortest) to \(range.maximum.shortest), not \(number.shortest)")
    }
    return number
  }

  private func word(of value: Value, among words: [String]) throws(Rejection) -> Value {
    let list = words.joined(separator: ", ")
    guard case .text(let text) = value else { throw expected("one of \(list)", got: value.briefly) }
    let lowered = text.lowercased()
    guard let word = words.first(where: { $0.lowercased() == lowered }) else {
      throw expected("one of \(list)", got: text)
    }
    return .text(word)
  }

  private func expected(_ what: String, got text: String) -> Rejection {
    Rejection(.invalid, "\(key) takes \(what), not '\(text.excerpt)'")
  }
}

extension String {
  /// The first 40 Unicode scalars, what moves a cursor or turns the text shown as dots: safe in a log line and an
  /// event. No characters, for one of those may have any number of marks.
  package var excerpt: String {
    let shown = unicodeScalars.prefix(40).map { $0.isFormatting ? "." : $0 }
    let isWhole = unicodeScalars.dropFirst(40).isEmpty
    return String(String.UnicodeScalarView(shown)) + (isWhole ? "" : "…")
  }

  /// Without white space and line ends at either end.
  package func trimmingSpaces() -> String {
    let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\n" || $0 == "\r" || $0 == "\t" || $0 == "\r\n" }
    let start = drop(while: isSpace)
    guard let end = start.lastIndex(where: { !isSpace($0) }) else { return "" }
    return String(start[...end])
  }
}

extension Unicode.Scalar {
  /// A control character, a line's or paragraph's end, or one that changes how others are shown.
  package var isFormatting: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}

extension Double {
  /// Without `.0` behind a whole number.
  package var shortest: String {
    self == rounded() && magnitude < 1e15 ? String(Int64(self)) : String(self)
  }
}

extension Value {
  /// For words about a value: what it is, not all of it.
  package var briefly: String {
    switch self {
    case .unknown: "null"
    case .boolean(let boolean): String(boolean)
    case .integer(let integer): String(integer)
    case .number(let number): number.shortest
    case .text(let text): text
    case .list: "a list"
    case .object: "an object"
    }
  }
}
