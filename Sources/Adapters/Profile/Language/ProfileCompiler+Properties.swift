import DeviceModel

extension ProfileCompiler {
  /// Nil for one that is not worth looking at any further.
  mutating func property(_ options: Options, name: String) -> (Property, PropertyPlan)? {
    guard let key = PropertyKey(name), name != "value" else {
      problems.append(
        ConfigurationProblem(
          "'\(name.excerpt)' cannot be a key", at: options.location, path: options.path,
          expectation: "another one than value, \(PropertyKey.reserved.sorted().joined(separator: ", "))"))
      return nil
    }
    guard let word = options.text("kind") else { return nil }
    checkKeys(options, kind: word)
    let reading = reading(options, kind: word)
    var plan = PropertyPlan(key: key, reading: reading)
    (plan.field, plan.message) = source(options, key: name, kind: word)
    for verb in Property.Verb.allCases where options.isWritten(verb.rawValue) {
      plan.commands[verb] = command(options, verb, kind: word, reading)
    }
    if !plan.commands.isEmpty, word != "button" {
      plan.isAssumed = options.boolean("assumed") == true || !isTold(plan, options)
    }
    if case .value? = plan.commands[.set]?.exchange.expectation, plan.field == nil {
      report(
        options, "set", "no message tells the value that is expected",
        expectation: "'expect' to name a message")
    }
    guard let kind = kind(options, word, plan) else { return nil }
    let isMain = options.boolean("main") == true
    var property = Property(
      key, name: isMain ? nil : options.text("name") ?? Self.title(of: name), kind,
      verbs: Property.Verb.allCases.filter { plan.commands[$0] != nil })
    property.category = options.text("category").flatMap(Property.Category.init) ?? .primary
    property.icon = options.text("icon")
    property.isAssumed = plan.isAssumed
    property.isEnabledByDefault = options.boolean("enabled") ?? true
    property.summary = options.text("about") ?? ""
    return (property, plan)
  }

  /// `outside_temperature` is Outside temperature.
  private static func title(of key: String) -> String {
    let words = key.split(separator: "_").joined(separator: " ")
    return words.prefix(1).uppercased() + words.dropFirst()
  }

  /// Where the value comes from: a name, and a message when only one is meant.
  private mutating func source(
    _ options: Options, key: String, kind: String
  ) -> (field: String?, message: Int?) {
    guard kind != "button" else { return (nil, nil) }
    let field = options.text("from") ?? key
    var index: Int?
    if let name = options.text("message") {
      index = messageIndex(name, options, "message")
      if index == nil { return (field, nil) }
    }
    let candidates = index.map { [messages[$0]] } ?? messages
    if candidates.contains(where: { $0.form.names?.contains(field) ?? true }) { return (field, index) }
    let isWriteOnly =
      Property.Verb.allCases.contains { options.isWritten($0.rawValue) } && !options.isWritten("from")
      && index == nil
    guard !isWriteOnly else { return (nil, nil) }
    let names = candidates.flatMap { $0.form.names ?? [] }
    report(
      options, options.isWritten("from") ? "from" : "kind", "no message has a value '\(field.excerpt)'",
      expectation: Self.list(names), suggestion: nearestName(to: field, among: names))
    return (field, index)
  }

  /// The board is known to tell it. Names in pairs and in JSON may be any: that one of them is this must be said.
  private func isTold(_ plan: PropertyPlan, _ options: Options) -> Bool {
    guard let field = plan.field else { return false }
    if options.isWritten("from") || options.isWritten("message") { return true }
    if plan.commands[.set]?.exchange.expectation == .value { return true }
    return messages.contains { ($0.form.names ?? $0.requires).contains(field) }
  }

  private mutating func reading(_ options: Options, kind: String) -> ValueReading {
    var reading = ValueReading(sort: sort(options, kind: kind))
    reading.unknown = Set(options.words("unknown"))
    reading.suffixes = options.words("suffix").map { $0.trimmed() }.filter { !$0.isEmpty }
      .sorted { $0.count > $1.count }
    reading.scale = options.number("scale") ?? 1
    if reading.scale == 0 { report(options, "scale", "nothing is left of a number times 0") }
    reading.offset = options.number("offset") ?? 0
    reading.decimals = options.integer("precision")
    reading.minimum = options.number("minimum")
    reading.maximum = options.number("maximum")
    if let minimum = reading.minimum, let maximum = reading.maximum, minimum > maximum {
      report(options, "maximum", "it is below 'minimum'", expectation: "at least \(minimum.shortest)")
    }
    if let length = options.integer("length") { reading.longest = length }
    reading.words = words(options, kind: kind, reading.sort)
    return reading
  }

  private func sort(_ options: Options, kind: String) -> ValueReading.Sort {
    switch kind {
    case "sensor":
      let isNumber = ["unit", "state_class", "scale", "offset", "precision", "minimum", "maximum"]
        .contains { options.isWritten($0) }
      return isNumber ? .number : .plain
    case "number": return .number
    case "binary_sensor", "switch": return .truth
    case "enum", "select": return .word(choices(options))
    case "lock": return .word(PropertyWords.lock)
    case "cover": return .word(PropertyWords.cover)
    case "device_tracker": return .word(PropertyWords.tracker)
    case "timestamp": return .time
    case "json": return .data
    default: return .text
    }
  }

  /// Of an enum or a select: as listed, else what the board's words are shown as.
  private func choices(_ options: Options) -> [String] {
    if options.isWritten("options") { return options.texts("options") }
    return (options.table("values") ?? []).reduce(into: []) {
      if !$0.contains($1.text) { $0.append($1.text) }
    }
  }

  private mutating func words(
    _ options: Options, kind: String, _ sort: ValueReading.Sort
  ) -> [ValueReading.Word] {
    if case .truth = sort {
      let on = options.isWritten("on") ? options.words("on") : ["1", "on", "true"]
      let off = options.isWritten("off") ? options.words("off") : ["0", "off", "false"]
      if let both = on.first(where: { word in off.contains(word) }) {
        report(
          options, options.isWritten("off") ? "off" : "on", "'\(both.excerpt)' is on as well as off",
          expectation: "'on' and 'off' to differ")
      }
      return on.map { .init(board: $0.trimmed(), shown: true) }
        + off.map { .init(board: $0.trimmed(), shown: false) }
    }
    var words: [ValueReading.Word] = []
    for entry in options.table("values") ?? [] {
      switch sort {
      case .number:
        guard let number = DecimalNumber.parse(entry.text), number.isFinite else {
          problems.append(
            options.problem(
              "'\(entry.text.excerpt)' is no number", at: "values", entry: entry.word,
              location: entry.location,
              expectation: "a number to show for this word"))
          continue
        }
        words.append(.init(board: entry.word.trimmed(), shown: .number(number)))
      case .word(let allowed) where !allowed.contains(entry.text):
        problems.append(
          options.problem(
            "'\(entry.text.excerpt)' is no state of it", at: "values", entry: entry.word,
            location: entry.location,
            expectation: "one of \(allowed.joined(separator: ", "))",
            suggestion: nearestName(to: entry.text, among: allowed)))
      default: words.append(.init(board: entry.word.trimmed(), shown: .text(entry.text)))
      }
    }
    return words
  }

  private mutating func kind(_ options: Options, _ word: String, _ plan: PropertyPlan) -> PropertyKind? {
    let deviceClass = options.text("class")
    switch word {
    case "sensor": return .sensor(measurement(options))
    case "number":
      let minimum = options.number("minimum") ?? 0
      let maximum = options.number("maximum") ?? 100
      guard minimum <= maximum else { return nil }
      return .number(.init(minimum...maximum, step: options.number("step") ?? 1), measurement(options))
    case "enum", "select":
      let choices = choices(options)
      if choices.isEmpty {
        report(options, "options", "missing", expectation: "the words, as 'options' or in 'values'")
      }
      return word == "enum" ? .enumeration(choices) : .select(choices)
    case "timestamp": return .timestamp
    case "binary_sensor": return .binarySensor(deviceClass: deviceClass)
    case "switch": return .switch(deviceClass: deviceClass)
    case "button": return .button(deviceClass: deviceClass)
    case "text": return .text(maximumLength: options.integer("length") ?? 255)
    case "lock": return .lock
    case "cover":
      let command = plan.commands[.set]
      let hasTemplate = command?.exchange.templates.isEmpty == false
      let canClose =
        command?.cases["CLOSE"] != nil || (hasTemplate && plan.reading.word(for: "closed") != nil)
      return .cover(deviceClass: deviceClass, canClose: canClose, canStop: command?.cases["STOP"] != nil)
    case "device_tracker": return .deviceTracker(sourceType: options.text("source_type") ?? "router")
    default: return .structured
    }
  }

  private func measurement(_ options: Options) -> PropertyKind.Measurement {
    let unit = options.text("unit")
    let isNumber = unit != nil && options.text("kind") == "sensor"
    let written = options.text("state_class").flatMap(PropertyKind.Measurement.StateClass.init)
    // Home Assistant takes no measurement of these classes.
    let cumulative = ["energy", "gas", "water", "monetary", "volume", "reactive_energy", "wind_direction"]
    let deviceClass = options.text("class")
    let usual: PropertyKind.Measurement.StateClass? =
      isNumber && !cumulative.contains(deviceClass ?? "") ? .measurement : nil
    return .init(
      unit: unit, deviceClass: deviceClass, stateClass: written ?? usual,
      precision: options.integer("precision"))
  }

  /// Keys that say something about other kinds only.
  private mutating func checkKeys(_ options: Options, kind: String) {
    for (key, kinds) in Self.kindsOfKeys where options.isWritten(key) && !kinds.contains(kind) {
      report(
        options, key, "'\(key)' says nothing about a \(kind)",
        expectation: "it with \(kinds.joined(separator: ", "))")
    }
    let needsSet = ["switch", "number", "select", "button", "text", "lock", "cover"]
    if needsSet.contains(kind), !options.isWritten("set") {
      report(
        options, "set", "missing",
        expectation:
          "what is sent to set a \(kind); what is only read is a sensor, a binary_sensor or an enum")
    }
  }

  private static let kindsOfKeys: KeyValuePairs<String, [String]> = [
    "unit": ["sensor", "number"], "state_class": ["sensor"],
    "class": ["sensor", "number", "binary_sensor", "switch", "button", "cover"],
    "values": ["sensor", "enum", "number", "select", "text", "lock", "cover", "device_tracker"],
    "on": ["binary_sensor", "switch"], "off": ["binary_sensor", "switch"],
    "suffix": ["sensor", "number", "enum", "text"], "scale": ["sensor", "number"],
    "offset": ["sensor", "number"],
    "precision": ["sensor", "number"], "minimum": ["sensor", "number"], "maximum": ["sensor", "number"],
    "step": ["number"], "length": ["text"], "options": ["enum", "select"], "source_type": ["device_tracker"],
    "set": ["switch", "number", "select", "button", "text", "lock", "cover", "json"],
    "put": ["json"], "delete": ["json"],
    "assumed": ["switch", "number", "select", "text", "lock", "cover", "json"],
    "from": kinds(but: ["button"]), "message": kinds(but: ["button"]),
    "unknown": kinds(but: ["button", "json"]),
  ]

  private static func kinds(but others: [String]) -> [String] {
    ProfileSchema.kinds.filter { !others.contains($0) }
  }
}
