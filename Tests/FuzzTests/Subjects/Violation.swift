/// A rule that an input broke.
struct Violation: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

func require(_ condition: Bool, _ rule: @autoclosure () -> String) throws(Violation) {
  if !condition { throw Violation(rule()) }
}
