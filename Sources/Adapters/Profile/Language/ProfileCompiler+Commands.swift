import DeviceModel

extension ProfileCompiler {
  mutating func command(
    _ options: Options, _ verb: Property.Verb, kind: String, _ reading: ValueReading
  ) -> CommandRule {
    let name = verb.rawValue
    guard let object = options.object(name) else {
      let exchange = Exchange(
        templates: options.words(name).compactMap { template($0, false, options, name) })
      checkWords(exchange.templates, cases: [:], kind: kind, reading, options, name)
      return CommandRule(exchange: exchange)
    }
    var rule = CommandRule(exchange: exchange(object, isCommand: true))
    if rule.exchange.expectation == .value, verb != .set {
      report(object, "expect", "'value' answers 'set' only", expectation: "the name of a message")
    }
    for entry in object.map("cases") ?? [] {
      rule.cases[entry.name] = templates(of: entry.value, object, "cases")
      let words = Self.commandWords(kind, options, self)
      if !words.isEmpty, !words.contains(entry.name) {
        problems.append(
          object.problem(
            "a \(kind) does not take it", at: "cases", entry: entry.name, location: entry.location,
            expectation: "one of \(words.joined(separator: ", "))",
            suggestion: nearestName(to: entry.name, among: words)))
      }
    }
    if rule.exchange.templates.isEmpty, rule.cases.isEmpty {
      report(options, name, "it sends nothing", expectation: "'send', 'hex' or 'cases'")
    }
    checkWords(rule.exchange.templates, cases: rule.cases, kind: kind, reading, options, name)
    return rule
  }

  private static func commandWords(_ kind: String, _ options: Options, _ compiler: ProfileCompiler)
    -> [String]
  {
    switch kind {
    case "switch": return ["ON", "OFF"]
    case "lock": return ["LOCK", "UNLOCK"]
    case "cover": return ["OPEN", "CLOSE", "STOP"]
    case "button": return ["PRESS"]
    case "select":
      let written = options.texts("options")
      return written.isEmpty ? (options.table("values") ?? []).map(\.text) : written
    default: return []
    }
  }

  /// Every word that can be commanded has something to be sent for it.
  private mutating func checkWords(
    _ templates: [Template], cases: [String: [Template]], kind: String, _ reading: ValueReading,
    _ options: Options,
    _ name: String
  ) {
    let isGeneral = !templates.isEmpty
    let takesValue = templates.contains { $0.takesValue }
    let states: [(word: String, state: Value)] =
      switch kind {
      case "switch": [("ON", true), ("OFF", false)]
      case "lock": [("LOCK", "LOCKED"), ("UNLOCK", "UNLOCKED")]
      case "cover": [("OPEN", "open")]
      case "select": Self.commandWords(kind, options, self).map { ($0, .text($0)) }
      default: []
      }
    if isGeneral, !takesValue, states.count > 1 {
      report(options, name, "it sends the same whatever is set", expectation: "'{value}' in it, or 'cases'")
    }
    for (word, state) in states where cases[word] == nil {
      // A lock that knows no words would be sent LOCKED.
      let hasWord =
        kind == "select" ? reading.word(for: state) != nil : reading.words.contains { $0.shown == state }
      if isGeneral, !takesValue || hasWord { continue }
      report(
        options, name, "nothing says what is sent for \(word)",
        expectation: isGeneral
          ? "the board's word for \(state.briefly) in 'values', or 'cases'" : "\(word) among 'cases'")
    }
  }

  private mutating func template(
    _ text: String, _ isHexadecimal: Bool, _ options: Options, _ key: String
  ) -> Template? {
    do throws(TemplateError) {
      return try Template(text, isHexadecimal: isHexadecimal)
    } catch {
      report(options, key, error.what, expectation: error.expectation, suggestion: error.suggestion)
      return nil
    }
  }

  private mutating func templates(of value: OptionValue, _ options: Options, _ key: String) -> [Template] {
    switch value {
    case .text(let text): return [template(text, false, options, key)].compactMap(\.self)
    case .list(let elements): return elements.flatMap { templates(of: $0, options, key) }
    case .object(let object): return object.words("hex").compactMap { template($0, true, object, "hex") }
    default: return []
    }
  }

  mutating func exchange(_ options: Options, isCommand: Bool) -> Exchange {
    var exchange = Exchange(
      templates: options.words("send").compactMap { template($0, false, options, "send") }
        + options.words("hex").compactMap { template($0, true, options, "hex") })
    exchange.patience = options.duration("within") ?? exchange.patience
    if let name = options.text("expect") {
      if name == "value", isCommand {
        exchange.expectation = .value
      } else if let index = messageIndex(name, options, "expect") {
        exchange.expectation = .message(index)
      }
    }
    if let name = options.text("refused_by") { exchange.refusal = messageIndex(name, options, "refused_by") }
    for key in ["refused_by", "within"] where options.isWritten(key) && !options.isWritten("expect") {
      report(options, key, "'\(key)' without 'expect'", expectation: "both")
    }
    if !isCommand { checkNoValue(exchange, options) }
    return exchange
  }

  /// What is not a command has no value to send.
  private mutating func checkNoValue(_ exchange: Exchange, _ options: Options) {
    guard let template = exchange.templates.first(where: { $0.takesValue || !$0.properties.isEmpty }) else {
      return
    }
    let key = options.isWritten("hex") ? "hex" : "send"
    let name = template.takesValue ? "value" : template.properties.first?.text ?? ""
    report(options, key, "there is no '{\(name)}' here", expectation: "'{{' for the brace itself")
  }

  mutating func onConnect() -> [Exchange] {
    let value = options["on_connect"]
    let elements: [OptionValue]
    if case .list(let list)? = value { elements = list } else { elements = [value].compactMap(\.self) }
    return elements.compactMap { element in
      switch element {
      case .text(let text):
        let exchange = template(text, false, options, "on_connect").map { Exchange(templates: [$0]) }
        if let exchange, exchange.templates.contains(where: { $0.takesValue || !$0.properties.isEmpty }) {
          report(
            options, "on_connect", "there is no value to send here", expectation: "'{{' for the brace itself")
        }
        return exchange
      case .object(let object): return exchange(object, isCommand: false)
      default: return nil
      }
    }
  }

  mutating func poll(_ options: Options) -> Poll {
    let exchange = exchange(options, isCommand: false)
    let interval = options.duration("every") ?? .seconds(30)
    if exchange.expectation != .none, exchange.patience > interval {
      report(
        options, options.isWritten("within") ? "within" : "every",
        "it is asked again before the answer is late", expectation: "'within' not longer than 'every'")
    }
    return Poll(exchange: exchange, interval: interval, attempts: options.integer("attempts") ?? 2)
  }
}
