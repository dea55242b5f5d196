public import DeviceModel

extension Profile {
  public static let kind = Kind(
    name: "profile",
    summary:
      "Any board that says what it does in messages of its own: a profile in YAML says what they mean.",
    options: OptionSchema([
      OptionField(
        "profile", .document(schema), .required,
        summary: "How the board talks and what is seen of it, written here or in a file of its own.")
    ]),
    example: [
      "profile": [
        "messages": ["reading": ["pairs": [:]]],
        "properties": [
          "temperature": [
            "kind": "sensor", "unit": "°C", "class": "temperature", "from": "t",
            "about": "An example: the t of a line such as t=21.5.",
          ]
        ],
      ]
    ],
    links: [LinkRequirement(transports: LinkRequirement.Transport.allCases, speaks: false)],
    linksOfDevice: { options in [requirement(of: options.object("profile"))] }
  ) { options, problems in
    guard let profile = options.object("profile") else { return nil }
    return Profile(profile, problems: &problems)
  }

  /// All keys of a profile.
  public static var schema: OptionSchema { ProfileSchema.profile }

  /// Makes what a profile says, whose keys were checked against ``schema``; nil when an error is among the problems.
  public init?(_ profile: Options, problems: inout [ConfigurationProblem]) {
    var compiler = ProfileCompiler(profile)
    let plan = compiler.plan()
    problems += compiler.problems
    guard let plan else { return nil }
    self.init(plan)
  }

  /// Where a profile says something about a property, for who finds it wrong: at the first of these keys that is
  /// written, else at the property.
  public static func problem(
    _ message: String, of property: PropertyKey?, at keys: [String], in profile: Options
  ) -> ConfigurationProblem {
    guard let property,
      case .object(let options)? = profile.map("properties")?.first(where: { $0.name == property.text })?
        .value
    else { return profile.problem(message, at: "messages") }
    return options.problem(message, at: keys.first { options.isWritten($0) } ?? "kind")
  }

  /// The link that a profile asks for.
  static func requirement(of profile: Options?) -> LinkRequirement {
    let all = LinkRequirement.Transport.allCases
    guard let profile, let link = profile.object("link") else {
      return LinkRequirement(transports: all, speaks: false)
    }
    let written = link.texts("transports").compactMap(LinkRequirement.Transport.init)
    var session = Session.held
    let every = link.duration("poll")
    switch link.text("session") {
    case "on_demand"?: session = .onDemand
    case "polled"?: session = .polled(every: every ?? .seconds(10))
    case "held"?: break
    default: if let every { session = .polled(every: every) }
    }
    var ignored: [ConfigurationProblem] = []
    let speaks = Profile(profile, problems: &ignored)?.plan.speaks ?? false
    return LinkRequirement(transports: written.isEmpty ? all : written, session: session, speaks: speaks)
  }
}
