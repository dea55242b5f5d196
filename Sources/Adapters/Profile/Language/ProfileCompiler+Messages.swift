import DeviceModel

extension ProfileCompiler {
  mutating func message(_ options: Options, name: String) -> MessageRule {
    if name == "value" {
      // `expect: value` is an answer of another sort.
      problems.append(
        ConfigurationProblem(
          "'value' has a meaning of its own", at: options.location, path: options.path,
          expectation: "another name for the message"))
    }
    var rule = MessageRule(name: name, form: form(options))
    rule.startsWith = options.wireBytes("starts_with") ?? []
    rule.endsWith = options.wireBytes("ends_with") ?? []
    rule.requires = options.texts("requires")
    for entry in options.table("where") ?? [] { rule.conditions[entry.word] = entry.text }
    if let names = rule.form.names {
      for name in rule.requires where !names.contains(name) {
        report(
          options, "requires", "the message has no value '\(name.excerpt)'", expectation: Self.list(names),
          suggestion: nearestName(to: name, among: names))
      }
      for entry in options.table("where") ?? [] where !names.contains(entry.word) {
        problems.append(
          options.problem(
            "the message has no such value", at: "where", entry: entry.word, location: entry.location,
            expectation: Self.list(names), suggestion: nearestName(to: entry.word, among: names)))
      }
    }
    if let event = options.text("event") {
      rule.event = event
      if Slug(exactly: event) == nil {
        report(
          options, "event", "'\(event.excerpt)' is no name of an event",
          expectation: "a to z, 0 to 9 and _",
          suggestion: Slug(of: event)?.text)
      }
    }
    rule.isLife = options.boolean("alive") ?? true
    return rule
  }

  static func list(_ names: [String]) -> String {
    names.isEmpty ? "a message with values" : "one of \(names.joined(separator: ", "))"
  }

  private mutating func form(_ options: Options) -> MessageForm {
    if options.isWritten("pairs"), let pairs = options.object("pairs") {
      return .pairs(separator: pairs.text("separator") ?? ",", assign: pairs.text("assign") ?? "=")
    }
    if options.isWritten("csv") { return columns(options) }
    if let text = options.text("regex") {
      do throws(PatternError) {
        let pattern = try Pattern(text)
        return .pattern(pattern)
      } catch {
        report(options, "regex", "\(error)", expectation: "a regular expression such as 'T=(?<t>-?[0-9.]+)'")
        return .pairs(separator: ",", assign: "=")
      }
    }
    if let paths = options.table("json") {
      var places: [(name: String, path: JSONPath)] = []
      for entry in paths {
        guard let path = JSONPath(entry.text) else {
          problems.append(
            options.problem(
              "'\(entry.text.excerpt)' is no place in an object", at: "json", entry: entry.word,
              location: entry.location,
              expectation: "a place such as main.temp or list[0].t"))
          continue
        }
        places.append((entry.word, path))
      }
      return .json(places)
    }
    if options.isWritten("binary") { return .binary(record(options.objects("binary"), in: options)) }
    return .text(options.text("text") ?? "")
  }

  private mutating func columns(_ options: Options) -> MessageForm {
    let object = options.object("csv")
    let names = object?.texts("columns") ?? options.texts("csv")
    var seen: Set<String> = []
    for name in names where name != "_" && !seen.insert(name).inserted {
      report(
        options, "csv", "the column '\(name.excerpt)' is there twice",
        expectation: "every name once, and _ for what does not matter")
    }
    return .columns(names, separator: object?.text("separator") ?? ",")
  }

  private mutating func record(_ list: [Options], in options: Options) -> BinaryRecord {
    var fields: [BinaryRecord.Field] = []
    var seen: Set<String> = []
    for (index, entry) in list.enumerated() {
      guard let field = field(entry) else { continue }
      for name in field.names where !seen.insert(name).inserted {
        report(entry, "name", "the value '\(name.excerpt)' is there twice", expectation: "every name once")
      }
      if field.size == nil, index < list.count - 1 {
        report(entry, "name", "its end is that of the message", expectation: "it as the last of the fields")
      }
      fields.append(field)
    }
    return BinaryRecord(fields: fields)
  }

  private mutating func field(_ options: Options) -> BinaryRecord.Field? {
    if let count = options.integer("skip") {
      for key in ["name", "type", "size", "bits", "records"] where options.isWritten(key) {
        report(options, key, "'\(key)' beside 'skip'", expectation: "'skip' alone")
      }
      return .skip(count)
    }
    if options.isWritten("records") {
      guard let name = options.text("name") else { return missing(options, "name") }
      let record = record(options.objects("records"), in: options)
      guard let size = record.size, size > 0 else {
        report(
          options, "records", "a record without a size of its own", expectation: "a 'size' for its texts")
        return nil
      }
      return .records(name, record)
    }
    guard let type = options.text("type") else { return missing(options, "type") }
    if options.isWritten("size"), NumberFormat(type) != nil {
      report(options, "size", "'size' beside '\(type)'", expectation: "it with 'text' or 'cstring'")
    }
    if options.isWritten("bits") { return bits(options, type) }
    guard let name = options.text("name") else { return missing(options, "name") }
    if let format = NumberFormat(type) { return .number(name, format) }
    if type == "text" { return .text(name, size: options.integer("size")) }
    guard let size = options.integer("size") else { return missing(options, "size") }
    return .terminated(name, size: size)
  }

  private mutating func missing(_ options: Options, _ key: String) -> BinaryRecord.Field? {
    report(options, key, "missing", expectation: "a 'name' and a 'type', or 'skip'")
    return nil
  }

  private mutating func bits(_ options: Options, _ type: String) -> BinaryRecord.Field? {
    guard type.hasPrefix("u"), let format = NumberFormat(type) else {
      report(options, "type", "'\(type)' has no bits", expectation: "an unsigned number")
      return nil
    }
    if options.isWritten("name") {
      report(options, "name", "'name' beside 'bits'", expectation: "the names of the bits")
    }
    var parts: [(name: String, range: ClosedRange<Int>)] = []
    for entry in options.table("bits") ?? [] {
      guard let range = BitRange.parse(entry.text) else { continue }
      if range.upperBound >= 8 * format.size {
        problems.append(
          options.problem(
            "there is no bit \(range.upperBound)", at: "bits", entry: entry.word, location: entry.location,
            expectation: "0 to \(8 * format.size - 1)"))
      }
      parts.append((entry.word, range))
    }
    return .bits(parts, format)
  }
}
