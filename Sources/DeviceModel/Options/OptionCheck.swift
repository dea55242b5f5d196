/// One walk through what is written, beside the schema; collects every problem on the way.
struct OptionCheck {
  private(set) var problems: [ConfigurationProblem] = []

  static func path(_ path: String, _ key: String) -> String {
    path.isEmpty ? ConfigurationProblem.excerpt(of: key) : "\(path).\(ConfigurationProblem.excerpt(of: key))"
  }

  /// What `value` means as a `type`; nil if it cannot be one, which is then among the problems.
  mutating func value(_ value: LocatedValue, _ type: OptionType, path: String) -> OptionValue? {
    switch (type, value.content) {
    case (.anything, _): return .anything(value)
    case (.shapes(let types), _):
      guard let type = types.first(where: { $0.accepts(shapeOf: value.content) }) else {
        return refuse(value, type, path: path)
      }
      return self.value(value, type, path: path)
    case (.object(let schema), .mapping(let entries)):
      return .object(object(entries, schema, path: path, location: value.location))
    case (.object(let schema), .null):
      return .object(object([], schema, path: path, location: value.location))
    case (.list(let element, let count), .sequence(let elements)):
      return list(elements, of: element, count: count, value: value, path: path)
    case (.list(let element, let count), .null):
      return list([], of: element, count: count, value: value, path: path)
    case (.map(let element, let count), .mapping(let entries)):
      return map(entries, of: element, count: count, value: value, path: path)
    case (.map(let element, let count), .null):
      return map([], of: element, count: count, value: value, path: path)
    case (.table(let element, let count), .mapping(let entries)):
      return table(entries, of: element, count: count, value: value, path: path)
    case (.document(let schema), .mapping(let entries)):
      return .object(object(entries, schema, path: path, location: value.location))
    case (.object, _), (.list, _), (.map, _), (.table, _), (.document, _), (_, .null), (_, .sequence),
      (_, .mapping):
      return refuse(value, type, path: path)
    case (_, .scalar(let scalar)):
      return self.scalar(scalar, type, at: value.location, path: path)
    }
  }

  private mutating func refuse(_ value: LocatedValue, _ type: OptionType, path: String) -> OptionValue? {
    let found =
      switch value.content {
      case .null: "no value"
      case .scalar: "found text"
      case .sequence: "found a list"
      case .mapping: "found a mapping"
      }
    problems.append(.init(found, at: value.location, path: path, expectation: type.expectation))
    return nil
  }

  private mutating func scalar(
    _ scalar: LocatedValue.Scalar, _ type: OptionType, at location: SourceLocation, path: String
  ) -> OptionValue? {
    switch type.parse(scalar, at: location) {
    case .accepted(let value): return value
    case .refused(let reason, let suggestion):
      let isShown = !scalar.isSecret && !type.isSecret
      problems.append(
        .init(
          Self.message(reason, text: isShown ? scalar.text : nil), at: location, path: path,
          expectation: type.expectation, suggestion: isShown ? suggestion : nil))
      return nil
    }
  }

  /// Quotes what is written, unless it is secret or might contain a password.
  private static func message(_ reason: String?, text: String?) -> String {
    if text?.isEmpty == true { return "empty" }
    guard let text, !text.utf8.contains(UInt8(ascii: "@")) else { return reason ?? "the value is not valid" }
    let excerpt = "'\(ConfigurationProblem.excerpt(of: text))'"
    return reason.map { "\(excerpt): \($0)" } ?? "\(excerpt) is not valid"
  }

  private mutating func list(
    _ elements: [LocatedValue], of type: OptionType, count: ClosedRange<Int>, value: LocatedValue,
    path: String
  ) -> OptionValue? {
    let values = elements.prefix(count.upperBound).enumerated()
      .compactMap { self.value($1, type, path: "\(path)[\($0)]") }
    if !count.contains(elements.count) {
      problems.append(
        .init(
          "\(elements.count) entries", at: value.location, path: path,
          expectation: OptionType.list(type, count: count).expectation))
    }
    return .list(values)
  }

  private mutating func map(
    _ entries: [LocatedValue.Entry], of type: OptionType, count: ClosedRange<Int>, value: LocatedValue,
    path: String
  ) -> OptionValue? {
    var values: [OptionValue.NamedValue] = []
    for entry in entries.prefix(count.upperBound) {
      let entryPath = Self.path(path, entry.key)
      let isName = Slug(exactly: entry.key) != nil
      if !isName {
        problems.append(
          .init(
            "'\(ConfigurationProblem.excerpt(of: entry.key))' is not valid as a name", at: entry.keyLocation,
            path: path,
            expectation: OptionType.nameExpectation))
      }
      if let value = self.value(entry.value, type, path: entryPath), isName {
        values.append(.init(name: entry.key, value: value, location: entry.keyLocation))
      }
    }
    check(entries.count, count, value: value, path: path)
    return .map(values)
  }

  private mutating func table(
    _ entries: [LocatedValue.Entry], of type: OptionType, count: ClosedRange<Int>, value: LocatedValue,
    path: String
  ) -> OptionValue? {
    var values: [OptionValue.NamedValue] = []
    for entry in entries.prefix(count.upperBound) {
      guard let value = self.value(entry.value, type, path: Self.path(path, entry.key)) else { continue }
      values.append(.init(name: entry.key, value: value, location: entry.keyLocation))
    }
    check(entries.count, count, value: value, path: path)
    return .map(values)
  }

  private mutating func check(
    _ number: Int, _ count: ClosedRange<Int>, value: LocatedValue, path: String
  ) {
    guard !count.contains(number) else { return }
    problems.append(
      .init(
        "\(number) entries", at: value.location, path: path,
        expectation: "\(count.lowerBound) to \(count.upperBound)"))
  }

  mutating func object(
    _ entries: [LocatedValue.Entry], _ schema: OptionSchema, path: String, location: SourceLocation
  ) -> Options {
    var options = Options(path: path, location: location)
    var written: Set<String> = []
    for entry in entries {
      let entryPath = Self.path(path, entry.key)
      guard let field = schema[entry.key] else {
        // Whoever wrote `nmae` need not be told as well that `name` is missing.
        if let meant = unknownKey(entry, schema, path: entryPath) { written.insert(meant) }
        continue
      }
      written.insert(entry.key)
      if let value = value(entry.value, field.type, path: entryPath) {
        options.elements[entry.key] = .init(
          value: value, location: entry.value.location, isSecret: entry.value.isSecret)
      } else {
        options.refused.insert(entry.key)
      }
    }
    for field in schema.fields where !written.contains(field.name) {
      switch field.presence {
      case .optional:
        guard case .object(let inner) = field.type, inner.isSatisfiedByNothing else { break }
        let defaults = object([], inner, path: Self.path(path, field.name), location: location)
        options.elements[field.name] = .init(value: .object(defaults), location: nil)
      case .defaulted(let value): options.elements[field.name] = .init(value: value, location: nil)
      case .required:
        problems.append(
          .init(
            "missing", at: location, path: Self.path(path, field.name), expectation: field.type.expectation))
      }
    }
    checkAlternatives(schema, entries, written: written, path: path, location: location)
    return options
  }

  private mutating func unknownKey(
    _ entry: LocatedValue.Entry, _ schema: OptionSchema, path: String
  ) -> String? {
    let names = schema.fields.map(\.name)
    // Nobody reads so many, and a file may have a hundred thousand.
    let nearest = problems.count < 200 ? nearestName(to: entry.key, among: names) : nil
    let expectation = names.isEmpty ? "no keys here" : "one of \(names.joined(separator: ", "))"
    problems.append(
      .init(
        "unknown key '\(ConfigurationProblem.excerpt(of: entry.key))'", at: entry.keyLocation, path: path,
        expectation: expectation,
        suggestion: nearest))
    return nearest
  }

  private mutating func checkAlternatives(
    _ schema: OptionSchema, _ entries: [LocatedValue.Entry], written: Set<String>, path: String,
    location: SourceLocation
  ) {
    for alternatives in schema.alternatives {
      let list = alternatives.names.joined(separator: ", ")
      if alternatives.isRequired, written.isDisjoint(with: alternatives.names) {
        problems.append(.init("missing", at: location, path: path, expectation: "one of \(list)"))
      }
      let rivals = entries.filter { alternatives.names.contains($0.key) }
      for entry in rivals.dropFirst() {
        problems.append(
          .init(
            "'\(ConfigurationProblem.excerpt(of: entry.key))' beside '\(rivals[0].key)' (line \(rivals[0].keyLocation.line))",
            at: entry.keyLocation, path: Self.path(path, entry.key), expectation: "only one of \(list)"))
      }
    }
  }
}
