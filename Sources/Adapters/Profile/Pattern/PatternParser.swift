/// A pattern's text to what it is made of.
///
/// Letters stand for themselves, as do other characters behind `\`; `.`, `[a-z]`, `[^a-z]`, `\d \w \s \D \W \S`,
/// `\t \n \r \xHH`; `* + ? {2} {2,} {2,5}`, each lazy with a `?` behind it; `(?<name>…)`, `(?:…)`, `(…)` which is the
/// same, `|`. `^` at the beginning and `$` at the end are allowed and change nothing. `(?i)` at the beginning: the case
/// of ASCII letters does not matter.
struct PatternParser {
  private let text: [Unicode.Scalar]
  private var place = 0
  private var ignoresCase = false
  private(set) var names: [String] = []

  static let deepest = 32
  static let mostRepetitions = 500
  static let mostNames = 32

  init(_ text: String) throws(PatternError) {
    self.text = Array(text.unicodeScalars)
    guard self.text.count <= Pattern.longestText else {
      throw PatternError(
        what: "the pattern has more than \(Pattern.longestText) characters", place: Pattern.longestText)
    }
  }

  mutating func pattern() throws(PatternError) -> PatternNode {
    if starts(with: "(?i)") {
      ignoresCase = true
      place += 4
    }
    if peek == "^" { place += 1 }
    let node = try alternatives(depth: 0)
    guard place == text.count else { throw wrong("a ')' without a '(' before it") }
    return node
  }

  private var peek: Unicode.Scalar? { place < text.count ? text[place] : nil }

  private func starts(with word: String) -> Bool { text[place...].starts(with: word.unicodeScalars) }

  private func wrong(_ what: String) -> PatternError { PatternError(what: what, place: place) }

  private mutating func alternatives(depth: Int) throws(PatternError) -> PatternNode {
    guard depth <= Self.deepest else { throw wrong("groups in groups, more than \(Self.deepest) deep") }
    var nodes = [try sequence(depth: depth)]
    while peek == "|" {
      place += 1
      nodes.append(try sequence(depth: depth))
    }
    return nodes.count == 1 ? nodes[0] : .alternatives(nodes)
  }

  private mutating func sequence(depth: Int) throws(PatternError) -> PatternNode {
    var nodes: [PatternNode] = []
    while let next = peek, next != "|", next != ")" {
      if next == "$", place == text.count - 1 {
        place += 1
        break
      }
      let node = try atom(depth: depth)
      nodes.append(try repetition(of: node))
    }
    return nodes.count == 1 ? nodes[0] : nodes.isEmpty ? .empty : .sequence(nodes)
  }

  private mutating func repetition(of node: PatternNode) throws(PatternError) -> PatternNode {
    var bounds: (least: Int, most: Int?)
    switch peek {
    case "*": bounds = (0, nil)
    case "+": bounds = (1, nil)
    case "?": bounds = (0, 1)
    case "{":
      bounds = try counts()
      place -= 1
    default: return node
    }
    place += 1
    let isLazy = peek == "?"
    if isLazy { place += 1 }
    if let next = peek, next == "*" || next == "+" || next == "?" || next == "{" {
      throw wrong("'\(next)' behind a repetition")
    }
    return .repeated(node, least: bounds.least, most: bounds.most, isLazy: isLazy)
  }

  /// `{2}`, `{2,}` or `{2,5}`.
  private mutating func counts() throws(PatternError) -> (least: Int, most: Int?) {
    place += 1
    guard let least = number() else { throw wrong("no number behind '{'; a brace itself is written '\\{'") }
    var most: Int? = least
    if peek == "," {
      place += 1
      most = peek == "}" ? nil : number() ?? -1
    }
    guard peek == "}" else { throw wrong("'{' is not ended by '}'") }
    place += 1
    guard least <= Self.mostRepetitions, most.map({ (least...Self.mostRepetitions).contains($0) }) ?? true
    else { throw wrong("a repetition is 0 to \(Self.mostRepetitions) times, the smaller number first") }
    return (least, most)
  }

  private mutating func number() -> Int? {
    var number: Int?
    while let next = peek, ("0"..."9").contains(next), number ?? 0 < 10_000 {
      number = (number ?? 0) * 10 + Int(next.value - 0x30)
      place += 1
    }
    return number
  }

  private mutating func atom(depth: Int) throws(PatternError) -> PatternNode {
    let next = text[place]
    switch next {
    case "(": return try group(depth: depth)
    case "[": return .character(cased(try characters()))
    case ".":
      place += 1
      return .character(.any)
    case "\\": return .character(cased(try escape()))
    case "*", "+", "?", "{": throw wrong("'\(next)' has nothing to repeat; itself it is written '\\\(next)'")
    case "^", "$": throw wrong("'\(next)' in the middle; itself it is written '\\\(next)'")
    default:
      place += 1
      return .character(cased(PatternClass(ranges: [next.value...next.value])))
    }
  }

  private func cased(_ set: PatternClass) -> PatternClass { ignoresCase ? set.eitherCase : set }

  private mutating func group(depth: Int) throws(PatternError) -> PatternNode {
    let start = place
    place += 1
    var index: Int?
    if peek == "?" {
      if starts(with: "?:") {
        place += 2
      } else if starts(with: "?<=") || starts(with: "?<!") || starts(with: "?=") || starts(with: "?!") {
        throw wrong("looking around is not possible in linear time")
      } else if starts(with: "?<") || starts(with: "?P<") {
        place += starts(with: "?P") ? 3 : 2
        index = names.count
        names.append(try name())
      } else {
        throw wrong("only (?:…) and (?<name>…) are known, and (?i) at the beginning")
      }
    }
    let node = try alternatives(depth: depth + 1)
    guard peek == ")" else {
      place = start
      throw wrong("'(' is not ended by ')'")
    }
    place += 1
    return .group(node, index)
  }

  private mutating func name() throws(PatternError) -> String {
    var name = ""
    while let next = peek, PatternClass.word.contains(next.value), name.utf8.count <= 64 {
      name.unicodeScalars.append(next)
      place += 1
    }
    guard peek == ">", !name.isEmpty else {
      throw wrong("a group's name has 1 to 64 letters, digits and _, and '>' behind it")
    }
    guard !names.contains(name) else { throw wrong("a second group named '\(name)'") }
    guard names.count < Self.mostNames else { throw wrong("more than \(Self.mostNames) named groups") }
    place += 1
    return name
  }

  /// `[a-z\d_]`
  private mutating func characters() throws(PatternError) -> PatternClass {
    let start = place
    place += 1
    var set = PatternClass(ranges: [])
    if peek == "^" {
      set.isNegated = true
      place += 1
    }
    while true {
      guard let next = peek else {
        place = start
        throw wrong("'[' is not ended by ']'")
      }
      if next == "]", place > start + (set.isNegated ? 2 : 1) { break }
      let first = try member()
      guard peek == "-", place + 1 < text.count, text[place + 1] != "]" else {
        set.ranges += first.isNegated ? first.inverse : first.ranges
        continue
      }
      place += 1
      let last = try member()
      guard let low = first.single, let high = last.single, low <= high else {
        throw wrong("no range of characters; a '-' itself is written '\\-'")
      }
      set.ranges.append(low...high)
    }
    place += 1
    return set
  }

  private mutating func member() throws(PatternError) -> PatternClass {
    if peek == "\\" { return try escape() }
    guard let next = peek else { throw wrong("'[' is not ended by ']'") }
    place += 1
    return PatternClass(ranges: [next.value...next.value])
  }

  private mutating func escape() throws(PatternError) -> PatternClass {
    place += 1
    guard let next = peek else { throw wrong("nothing behind '\\'") }
    place += 1
    var negated = PatternClass.digit
    switch next {
    case "d": return .digit
    case "w": return .word
    case "s": return .space
    case "D": negated = .digit
    case "W": negated = .word
    case "S": negated = .space
    case "t": return PatternClass(ranges: [0x09...0x09])
    case "n": return PatternClass(ranges: [0x0A...0x0A])
    case "r": return PatternClass(ranges: [0x0D...0x0D])
    case "x": return try hexadecimal()
    case "0"..."9":
      place -= 1
      throw wrong("a reference to a group is not possible in linear time; a byte is written '\\x30'")
    case "a"..."z", "A"..."Z":
      place -= 1
      throw wrong("'\\\(next)' means nothing here")
    default: return PatternClass(ranges: [next.value...next.value])
    }
    negated.isNegated = true
    return negated
  }

  private mutating func hexadecimal() throws(PatternError) -> PatternClass {
    guard place + 2 <= text.count,
      let value = UInt32(String(String.UnicodeScalarView(text[place..<place + 2])), radix: 16),
      text[place] != "+", text[place] != "-"
    else { throw wrong("two digits behind '\\x', as in '\\x1B'") }
    place += 2
    return PatternClass(ranges: [value...value])
  }
}
