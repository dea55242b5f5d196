extension LineForm.Session {
  /// The descriptions of a board as they come in.
  struct Describing: Hashable, Sendable {
    let hello: LineForm.Hello
    private var bodies: [Int: [UInt8]] = [:]
    /// The first asking, for all, has left gaps.
    private(set) var asksOneByOne = false
    private var silences = 0
    private var isSecondTry = false

    init(hello: LineForm.Hello) { self.hello = hello }

    var isComplete: Bool { bodies.count == hello.count }
    var firstMissing: Int? { (0..<hello.count).first { bodies[$0] == nil } }
    var descriptions: [[UInt8]] { (0..<hello.count).compactMap { bodies[$0] } }

    /// False for an index that there is not.
    mutating func take(_ body: [UInt8], index: Int) -> Bool {
      guard index < hello.count else { return false }
      bodies[index] = body
      return true
    }

    /// Nothing came for a while. False when it was once too often.
    mutating func isSilent() -> Bool {
      asksOneByOne = true
      silences += 1
      return silences <= LineForm.Session.Timing.attempts
    }

    /// All came, and does not match the token. False the second time.
    mutating func beginAgain() -> Bool {
      guard !isSecondTry else { return false }
      isSecondTry = true
      asksOneByOne = false
      silences = 0
      bodies = [:]
      return true
    }
  }
}
