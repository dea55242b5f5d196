/// A regular expression over one message of a board, matched in time linear in the message.
///
/// Why one of our own: what a board may say is anybody's, the bridge has one thread, and neither Swift's `Regex` nor
/// PCRE is linear: both go back and try again, so that an unlucky pattern and forty letters stop all devices for
/// minutes. glibc's `regexec` knows no named groups, and is not linear either where parts are asked for. This one
/// is Thompson's construction run as Pike's machine: all ways through the pattern at once, one step a character, each
/// place of the program visited once a step. (Pike's `sam`; Cox, "Regular Expression Matching: the Virtual Machine
/// Approach", 2009.) What cannot be had in linear time, back-references and looking around, is refused.
struct Pattern: Sendable, Hashable {
  let text: String
  /// The names of its groups, in their order.
  let names: [String]
  private let program: [PatternStep]

  /// Of a pattern's text, in characters.
  static let longestText = 1000
  /// Steps of a compiled pattern.
  static let longestProgram = 2000

  init(_ text: String) throws(PatternError) {
    var parser = try PatternParser(text)
    let node = try parser.pattern()
    var compiler = PatternCompiler()
    try compiler.append(node)
    try compiler.end()
    self.text = text
    names = parser.names
    program = compiler.steps
  }

  /// How far a pattern goes in an input that may go on.
  enum Reach: Hashable, Sendable {
    /// It matches this many characters, the most possible; true when more input might make it more.
    case match(length: Int, mayGoOn: Bool)
    /// All that is there is the beginning of a match.
    case beginning
    case none
  }

  /// The parts of `input` that the named groups took, by the pattern's order; nil when the pattern is not like the
  /// whole of it. A group that took no part is nil.
  func match(_ input: [UInt32]) -> [Range<Int>?]? {
    var found: [Int]?
    run(input, from: 0) { slots, position in if position == input.count, found == nil { found = slots } }
    guard let found else { return nil }
    return names.indices.map { index in
      let (start, end) = (found[2 * index], found[2 * index + 1])
      return start >= 0 && end >= start ? start..<end : nil
    }
  }

  /// Looks at `input` from `start`, whatever follows the match.
  func reach(in input: [UInt32], from start: Int) -> Reach {
    var longest: Int?
    let isAlive = run(input, from: start) { _, position in longest = position - start }
    if let longest { return .match(length: longest, mayGoOn: isAlive) }
    return isAlive ? .beginning : .none
  }

  /// - Parameter accept: called with the first way of most preference that ends at a place, for each such place.
  /// - Returns: true when at the end of the input a way was left that more input could go.
  @discardableResult
  private func run(_ input: [UInt32], from start: Int, accept: ([Int], Int) -> Void) -> Bool {
    var machine = PatternMachine(program, groups: names.count)
    machine.begin(at: start)
    var position = start
    while true {
      if let slots = machine.accepted { accept(slots, position) }
      guard position < input.count, !machine.isDead else { break }
      machine.step(input[position], to: position + 1)
      position += 1
    }
    return machine.canGoOn
  }
}
