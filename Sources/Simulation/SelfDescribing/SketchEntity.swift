/// One entity that a simulated sketch declares.
public struct SketchEntity: Hashable, Sendable {
  /// Its kind's letter in the line form.
  public var letter: Character
  public var key: String
  public var name: String
  /// As they stand in the description: `u°C`, `r5:30:0.5`.
  public var attributes: [String]
  /// As it stands in a value line; `?` when nothing is known. Of a table, its rows are in ``rows``.
  public var value = "?"
  /// JSON, or nil for an empty place; of a table only.
  public var rows: [String?]

  public init(_ letter: Character, _ key: String, _ name: String, _ attributes: String...) {
    self.letter = letter
    self.key = key
    self.name = name
    self.attributes = attributes
    let places = attributes.first { $0.hasPrefix("n") }.flatMap { Int($0.dropFirst()) }
    rows = letter == "j" ? Array(repeating: nil, count: places ?? 0) : []
  }

  var hasValue: Bool { letter != "p" && letter != "e" }
  var options: [String] { attributes.filter { $0.hasPrefix("o") }.map { String($0.dropFirst()) } }

  func description(_ index: Int) -> String {
    (["d\(index)", "\(letter)\(key)", name] + attributes).joined(separator: "|")
  }

  /// What the sketch makes of a command's value; the letter of a refusal when it does not take it.
  mutating func obey(_ text: String) -> Character? {
    switch letter {
    case "w": return obey(text, 0...1)
    case "o": return obey(text, 0...(options.count - 1))
    case "l": return obey(text, 0...1)
    case "p": return text.isEmpty ? nil : "i"
    case "n": return obeyNumber(text)
    case "x":
      guard text.hasPrefix("\""), let plain = SketchLines.unescaped(String(text.dropFirst())) else {
        return "i"
      }
      let longest = attributes.first { $0.hasPrefix("l") }.flatMap { Int($0.dropFirst()) } ?? 0
      guard plain.utf8.count <= longest else { return "r" }
      value = text
      return nil
    case "c":
      switch text {
      case "1": value = "1"
      case "0":
        guard attributes.contains("k") else { return "u" }
        value = "0"
      case "2":
        guard attributes.contains("h") else { return "u" }
        value = "4"
      default: return "i"
      }
      return nil
    case "j": return obeyRow(text)
    default: return "o"
    }
  }

  private mutating func obey(_ text: String, _ range: ClosedRange<Int>) -> Character? {
    guard let number = Int(text), text.allSatisfy(\.isNumber) else { return "i" }
    guard range.contains(number) else { return "r" }
    value = text
    return nil
  }

  private mutating func obeyNumber(_ text: String) -> Character? {
    guard let number = Double(text), !text.contains("e") else { return "i" }
    let range = attributes.first { $0.hasPrefix("r") }?.dropFirst().split(separator: ":").compactMap {
      Double($0)
    }
    guard let range, range.count == 3, number >= range[0], number <= range[1] else { return "r" }
    value = text
    return nil
  }

  private mutating func obeyRow(_ text: String) -> Character? {
    guard let plain = SketchLines.unescaped(String(text.dropFirst())) else { return "i" }
    func isNamed(_ row: String?, _ quoted: String) -> Bool { row.flatMap(Self.quotedName) == quoted }
    switch text.first {
    case "p":
      guard let name = Self.quotedName(plain),
        let place = rows.firstIndex(where: { isNamed($0, name) }) ?? rows.firstIndex(of: nil)
      else { return "f" }
      rows[place] = plain
    case "d":
      guard let place = rows.firstIndex(where: { isNamed($0, plain) }) else { return "i" }
      rows[place] = nil
    default: return "i"
    }
    return nil
  }

  /// The name in a row's JSON, in its quotation marks.
  private static func quotedName(_ row: String) -> String? {
    let mark = Array(#""name":""#.utf8)
    let bytes = Array(row.utf8)
    let name = bytes.indices.lazy.map { bytes[$0...] }.first { $0.starts(with: mark) }?
      .dropFirst(mark.count).prefix { $0 != UInt8(ascii: "\"") }
    return name.map { "\"\(String(decoding: $0, as: UTF8.self))\"" }
  }

  func valueLines(_ index: Int) -> [String] {
    guard letter == "j" else { return ["v\(index)=\(value)"] }
    return rows.enumerated().map { "v\(index)=\($0):" + SketchLines.escaped($1 ?? "null") }
  }
}
