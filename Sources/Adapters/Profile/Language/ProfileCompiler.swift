import DeviceModel

/// From a profile's keys, whose types are right, to a plan; collects every problem on the way.
struct ProfileCompiler {
  let options: Options
  var problems: [ConfigurationProblem] = []
  /// In the order in which they are tried.
  var messageNames: [String] = []
  var messages: [MessageRule] = []
  var keys: [String] = []

  init(_ options: Options) { self.options = options }

  /// Nil when an error is among the problems.
  mutating func plan() -> ProfilePlan? {
    let named = objects("messages")
    messageNames = named.map(\.name)
    messages = named.map { message($0.options, name: $0.name) }
    let frame = frame()
    checkSearch(frame)
    let declared = objects("properties")
    keys = declared.map(\.name)
    var plans: [PropertyPlan] = []
    var properties: [Property] = []
    for (name, options) in declared {
      guard let (property, plan) = property(options, name: name) else { continue }
      properties.append(property)
      plans.append(plan)
    }
    if declared.isEmpty {
      problems.append(
        options.problem("there is none", at: "properties", expectation: "at least one property"))
    }
    checkMain(declared)
    checkReferences(plans, declared)
    var events: [String] = []
    for event in messages.compactMap(\.event) where !events.contains(event) { events.append(event) }
    let description = DeviceDescription(
      manufacturer: options.text("manufacturer"), model: options.text("model"), properties: properties,
      eventTypes: events)
    var plan = ProfilePlan(description: description, frame: frame, messages: messages, properties: plans)
    plan.sending = sending(frame)
    plan.onConnect = onConnect()
    plan.polls = options.objects("polling").map { poll($0) }
    plan.silence = options.duration("silence")
    if let link = options.object("link") {
      for name in link.texts("until") {
        if let index = messageIndex(name, link, "until") { plan.until.insert(index) }
      }
    }
    return problems.contains { $0.severity == .error } ? nil : plan
  }

  /// The mappings of a map, by their names.
  func objects(_ name: String) -> [(name: String, options: Options)] {
    (options.map(name) ?? []).compactMap { named in
      guard case .object(let options) = named.value else { return nil }
      return (named.name, options)
    }
  }

  mutating func report(
    _ options: Options, _ key: String, _ message: String, expectation: String? = nil,
    suggestion: String? = nil
  ) {
    problems.append(options.problem(message, at: key, expectation: expectation, suggestion: suggestion))
  }

  /// The place of the message that a key names; nil when there is none, which is then among the problems.
  mutating func messageIndex(_ name: String, _ options: Options, _ key: String) -> Int? {
    if let index = messageNames.firstIndex(of: name) { return index }
    report(
      options, key, "there is no message '\(name.excerpt)'",
      expectation: messageNames.isEmpty
        ? "messages to be declared" : "one of \(messageNames.joined(separator: ", "))",
      suggestion: nearestName(to: name, among: messageNames))
    return nil
  }

  private mutating func checkMain(_ declared: [(name: String, options: Options)]) {
    let main = declared.filter { $0.options.boolean("main") == true }
    for other in main.dropFirst() {
      report(other.options, "main", "'\(main[0].name)' is it already", expectation: "one main property")
    }
  }

  /// Names of properties in what is sent.
  private mutating func checkReferences(
    _ plans: [PropertyPlan], _ declared: [(name: String, options: Options)]
  ) {
    let known = Set(keys)
    for (plan, options) in plans.compactMap({ plan in
      declared.first { $0.name == plan.key.text }.map { (plan, $0.options) }
    }) {
      for (verb, command) in plan.commands {
        let templates = command.exchange.templates + command.cases.values.flatMap(\.self)
        for key in templates.flatMap(\.properties) where !known.contains(key.text) {
          report(
            options, verb.rawValue, "'{\(key)}' names no property", expectation: "{value} or a key",
            suggestion: nearestName(to: key.text, among: keys + ["value"]))
        }
      }
    }
  }
}
