import DeviceModel

/// A place in a JSON object: `main.temp`, `sensors[0].value`.
struct JSONPath: Sendable, Hashable {
  private var steps: [Step] = []

  private enum Step: Hashable { case name(String), index(Int) }

  /// Nil for an empty name, and for an index that is no number from 0 to 999.
  init?(_ text: String) {
    for part in text.split(separator: ".", omittingEmptySubsequences: false) {
      let pieces = part.split(separator: "[", omittingEmptySubsequences: false)
      guard let name = pieces.first, !name.isEmpty, !name.contains("]") else { return nil }
      steps.append(.name(String(name)))
      for piece in pieces.dropFirst() {
        let digits = piece.dropLast()
        guard piece.last == "]", (1...3).contains(digits.utf8.count), let index = Int(digits), index >= 0
        else {
          return nil
        }
        steps.append(.index(index))
      }
    }
    guard steps.count <= 16 else { return nil }
  }

  /// Nil when nothing is there.
  func value(in value: Value) -> Value? {
    var value = value
    for step in steps {
      switch (step, value) {
      case (.name(let name), .object(let members)):
        guard let member = members[name] else { return nil }
        value = member
      case (.index(let index), .list(let elements)):
        guard index < elements.count else { return nil }
        value = elements[index]
      default: return nil
      }
    }
    return value
  }
}
