import EventLoop

/// A simulated board that is told in words what happens to it.
@Loop protocol Board: AnyObject {
  /// What a client reaches it by, such as `port 40001`.
  var place: String { get }
  func perform(_ words: [String]) throws(Refused)
  func stop()
}

/// A command that cannot be carried out.
struct Refused: Error {
  let reason: String
}
