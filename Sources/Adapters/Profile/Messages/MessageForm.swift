import DeviceModel
import JSON

/// How a message holds its values.
enum MessageForm: Sendable, Hashable {
  /// `t=21.5,h=40`: a name and a value each.
  case pairs(separator: String, assign: String)
  /// Columns by their names; one that is named `_` counts for nothing.
  case columns([String], separator: String)
  case pattern(Pattern)
  /// Names of values and where they are; empty: a value's name is its path.
  case json([(name: String, path: JSONPath)])
  case binary(BinaryRecord)
  /// Exactly this text, which holds no values.
  case text(String)

  static func == (left: MessageForm, right: MessageForm) -> Bool {
    switch (left, right) {
    case (.pairs(let separator, let assign), .pairs(let other, let otherAssign)):
      separator == other && assign == otherAssign
    case (.columns(let names, let separator), .columns(let others, let otherSeparator)):
      names == others && separator == otherSeparator
    case (.pattern(let pattern), .pattern(let other)): pattern == other
    case (.json(let paths), .json(let others)):
      paths.elementsEqual(others) { $0.name == $1.name && $0.path == $1.path }
    case (.binary(let record), .binary(let other)): record == other
    case (.text(let text), .text(let other)): text == other
    default: false
    }
  }

  func hash(into hasher: inout Hasher) { hasher.combine(names ?? []) }

  /// The names that its values can have; nil for any.
  var names: [String]? {
    switch self {
    case .pairs: nil
    case .columns(let names, _): names.filter { $0 != "_" }
    case .pattern(let pattern): pattern.names
    case .json(let paths): paths.isEmpty ? nil : paths.map(\.name)
    case .binary(let record): record.names
    case .text: []
    }
  }

  /// The values of a message.
  ///
  /// - Parameter wanted: the names that somebody has a use for.
  func values(
    of message: ArraySlice<UInt8>, wanted: some Sequence<String>
  ) throws(MessageError) -> [String: Value] {
    switch self {
    case .pairs(let separator, let assign):
      return try Self.pairs(LenientText.string(of: message), separator, assign)
    case .columns(let names, let separator):
      return try Self.columns(LenientText.string(of: message), names, separator)
    case .pattern(let pattern):
      let input = LenientText.scalars(of: message)
      guard let parts = pattern.match(input) else { throw MessageError("it is not like the pattern") }
      var values: [String: Value] = [:]
      for (name, part) in zip(pattern.names, parts) {
        if let part { values[name] = .text(LenientText.string(of: input[part])) }
      }
      return values
    case .json(let paths): return try Self.json(Array(message), paths, wanted)
    case .binary(let record): return try record.decode(message)
    case .text(let text):
      guard LenientText.string(of: message).trimmed() == text.trimmed() else {
        throw MessageError("it is not '\(text.excerpt)'")
      }
      return [:]
    }
  }

  private static func pairs(
    _ text: String, _ separator: String, _ assign: String
  ) throws(MessageError) -> [String: Value] {
    var values: [String: Value] = [:]
    for part in text.parts(separator) {
      let pair = part.trimmed()
      if pair.isEmpty { continue }
      let sides = pair.parts(assign, atMost: 2)
      guard sides.count == 2 else { throw MessageError("'\(pair.excerpt)' has no '\(assign)'") }
      let name = sides[0].trimmed()
      guard !name.isEmpty else { throw MessageError("a value without a name") }
      guard values.updateValue(.text(sides[1].trimmed()), forKey: name) == nil else {
        throw MessageError("'\(name.excerpt)' is there twice")
      }
    }
    guard !values.isEmpty else { throw MessageError("there is nothing in it") }
    return values
  }

  private static func columns(
    _ text: String, _ names: [String], _ separator: String
  ) throws(MessageError) -> [String: Value] {
    let parts = text.parts(separator)
    guard parts.count == names.count else {
      throw MessageError("\(parts.count) columns, not \(names.count)")
    }
    var values: [String: Value] = [:]
    for (name, part) in zip(names, parts) where name != "_" { values[name] = .text(part.trimmed()) }
    return values
  }

  private static func json(
    _ message: [UInt8], _ paths: [(name: String, path: JSONPath)], _ wanted: some Sequence<String>
  ) throws(MessageError) -> [String: Value] {
    let object: Value
    do throws(JSONError) {
      object = try JSON.parse(message, limits: .init(size: FrameRule.longest, depth: 16))
    } catch {
      throw MessageError("no JSON: \(error)")
    }
    guard case .object = object else { throw MessageError("JSON, but no object") }
    var values: [String: Value] = [:]
    if paths.isEmpty {
      for name in wanted { values[name] = JSONPath(name)?.value(in: object) }
    } else {
      for (name, path) in paths { values[name] = path.value(in: object) }
    }
    return values
  }
}

extension String {
  /// The parts between `separator`; white space as a separator may be of any length.
  fileprivate func parts(_ separator: String, atMost count: Int = .max) -> [String] {
    if separator.trimmed().isEmpty, !separator.unicodeScalars.contains(where: { $0 == "\n" || $0 == "\t" }) {
      return unicodeScalars.split(separator: " ", maxSplits: count - 1).map { String($0) }
    }
    let mark = Array(separator.unicodeScalars)
    let scalars = Array(unicodeScalars)
    var parts: [String] = []
    var start = 0
    var index = 0
    while index + mark.count <= scalars.count, parts.count < count - 1 {
      if scalars[index..<index + mark.count].elementsEqual(mark) {
        parts.append(String(String.UnicodeScalarView(scalars[start..<index])))
        index += mark.count
        start = index
      } else {
        index += 1
      }
    }
    parts.append(String(String.UnicodeScalarView(scalars[start...])))
    return parts
  }
}
