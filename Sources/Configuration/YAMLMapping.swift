import DeviceModel

/// The entries of one mapping on their way in, each key once.
struct YAMLMapping {
  private(set) var entries: [LocatedValue.Entry] = []
  private var lines: [String: Int] = [:]

  /// The first of two equal keys counts; the second is returned as a problem.
  mutating func append(_ entry: LocatedValue.Entry) -> ConfigurationProblem? {
    if let line = lines[entry.key] {
      return ConfigurationProblem(
        "the key '\(ConfigurationProblem.excerpt(of: entry.key))' is already in line \(line)",
        at: entry.keyLocation, expectation: "every key once")
    }
    lines[entry.key] = entry.keyLocation.line
    entries.append(entry)
    return nil
  }

  /// Adds the entries of a mapping, or of each of a list of them, whose keys are not there yet; false if
  /// `value` is something else.
  mutating func merge(_ value: LocatedValue) -> Bool {
    switch value.content {
    case .mapping(let others):
      for entry in others where lines[entry.key] == nil { _ = append(entry) }
      return true
    case .sequence(let values):
      return values.allSatisfy { value in
        guard case .mapping = value.content else { return false }
        return merge(value)
      }
    case .null, .scalar: return false
    }
  }
}
