/// What is wrong with a pattern, and after how many characters.
struct PatternError: Error, Hashable, Sendable, CustomStringConvertible {
  var what: String
  var place: Int

  var description: String { "\(what), at character \(place + 1)" }
}
