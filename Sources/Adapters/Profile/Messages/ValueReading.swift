import DeviceModel

/// What a board's word for a value means for a property.
struct ValueReading: Sendable, Hashable {
  var sort: Sort
  /// The board's words and what is shown for them; in the order in which they are written.
  var words: [Word] = []
  /// Words by which the board says that it does not know.
  var unknown: Set<String> = []
  /// What may stand behind a number, such as its unit.
  var suffixes: [String] = []
  var scale = 1.0
  var offset = 0.0
  var decimals: Int?
  var minimum: Double?
  var maximum: Double?
  /// Of a text.
  var longest = 255

  enum Sort: Sendable, Hashable {
    case number
    /// A number when it looks like one, else text.
    case plain
    case truth
    /// One of these words, when the table has none for it.
    case word([String])
    case text
    case time
    case data
  }

  struct Word: Sendable, Hashable {
    var board: String
    var shown: Value
  }

  func value(of field: Value) throws(MessageError) -> Value {
    if case .unknown = field { return .unknown }
    if case .data = sort { return field }
    var text = field.word
    if let suffix = suffixes.first(where: { text.hasSuffix($0) && text.count > $0.count }) {
      text = String(text.dropLast(suffix.count)).trimmed()
    }
    if unknown.contains(text) { return .unknown }
    if let word = words.first(where: { $0.board == text }) ?? looseMatch(text) { return word.shown }
    switch sort {
    case .number: return try number(text)
    case .plain:
      if words.isEmpty, let number = DecimalNumber.parse(text), !DecimalNumber.hasLeadingZero(text) {
        return number.isFinite ? .number(rounded(number)) : .unknown
      }
      return try self.text(text)
    case .truth: throw MessageError("'\(text.excerpt)' is neither on nor off")
    case .word(let allowed):
      guard allowed.contains(text) else {
        throw MessageError("'\(text.excerpt)' is none of \(allowed.joined(separator: ", "))")
      }
      return .text(text)
    case .text: return try self.text(text)
    case .time:
      if let time = Timestamp(iso8601: text) { return .text(time.iso8601) }
      guard let seconds = DecimalNumber.parse(text), (0...253_402_300_799).contains(seconds) else {
        throw MessageError("'\(text.excerpt)' is no time")
      }
      return .text(Timestamp(seconds: Int64(seconds)).iso8601)
    case .data: return field
    }
  }

  /// `on` and `ON` are one for a truth value, but for a board to which `A` and `a` are two things.
  private func looseMatch(_ text: String) -> Word? {
    guard case .truth = sort else { return nil }
    let lowered = text.lowercased()
    let near = words.filter { $0.board.lowercased() == lowered }
    return near.allSatisfy { $0.shown == near.first?.shown } ? near.first : nil
  }

  private func number(_ text: String) throws(MessageError) -> Value {
    guard let raw = DecimalNumber.parse(text) else { throw MessageError("'\(text.excerpt)' is no number") }
    // A thermometer that cannot be read is `nan` to Arduino's print.
    guard raw.isFinite else { return .unknown }
    let number = rounded(raw * scale + offset)
    if let minimum, number < minimum { throw MessageError("\(number.shortest) is below \(minimum.shortest)") }
    if let maximum, number > maximum { throw MessageError("\(number.shortest) is above \(maximum.shortest)") }
    return .number(number)
  }

  private func text(_ text: String) throws(MessageError) -> Value {
    guard text.unicodeScalars.count <= longest else {
      throw MessageError("a text of more than \(longest) characters")
    }
    return .text(text)
  }

  /// Takes away what binary fractions add to decimal ones.
  private func rounded(_ number: Double) -> Double {
    let places = decimals ?? 9
    let power = (0..<places).reduce(1.0) { power, _ in power * 10 }
    let result = (number * power).rounded() / power
    return result.isFinite ? (result == 0 ? 0 : result) : number
  }

  /// What the board calls a value: the other way round.
  func word(for value: Value) -> String? {
    if let word = words.first(where: { $0.shown == value }) { return word.board }
    switch value {
    case .number(let number):
      guard scale != 0 else { return nil }
      let raw = (number - offset) / scale
      return ((raw * 1e9).rounded() / 1e9).shortest
    case .integer(let integer): return word(for: .number(Double(integer)))
    case .text(let text): return words.isEmpty ? text : nil
    default: return nil
    }
  }
}
