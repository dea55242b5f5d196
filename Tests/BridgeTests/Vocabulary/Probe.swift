import DeviceModel
import JSON

/// An adapter that shows what it is told in its property `heard`, and does what it is told on `do`.
struct Probe: Adapter {
  var followedTopics: [FollowedTopic] = []
  var advertisementInterest = AdvertisementInterest.nothing
  /// Sent as its last words.
  var farewell: String?
  private var heard: [Value] = []

  static let property: PropertyKey = "heard"

  /// Sensors that tell nothing.
  var idleSensors = 0

  var description: DeviceDescription {
    let idle = (0..<idleSensors).compactMap { number in
      PropertyKey("idle_\(number)").map { Property($0, name: "An idle sensor", .sensor()) }
    }
    return DeviceDescription(
      properties: [
        Property(Self.property, name: "Heard", .structured),
        Property("do", name: nil, .command, verbs: [.set]),
        Property("alone", name: "Alone", .command, verbs: [.set], needsNoLink: true),
      ] + idle)
  }

  mutating func handle(_ input: Input, at now: Moment, into outputs: inout [Output]) {
    switch input {
    case .linkUp(let role, _):
      note("up \(role)", &outputs)
      outputs.append(.alive)
    case .linkDown(let role, let why): note("down \(role): \(why)", &outputs)
    case .received(let role, let bytes):
      note("received \(role): \(String(decoding: bytes, as: UTF8.self))", &outputs)
      outputs.append(.alive)
    case .sent(let number): note("sent \(number)", &outputs)
    case .notSent(let number, let why, _): note("not sent \(number): \(why)", &outputs)
    case .commands(let batch): for command in batch.commands { obey(command.value, &outputs) }
    case .transmit: break
    case .refresh: note("refresh", &outputs)
    case .remembered(let value): note("remembered \(JSON.text(of: value))", &outputs)
    case .message(let message):
      let text = String(decoding: message.payload.prefix(100), as: UTF8.self)
      note("\(message.name)\(message.isRetained ? " retained" : "") \(message.topic): \(text)", &outputs)
    case .advertisement(let advertisement): note("advertisement \(advertisement.address)", &outputs)
    case .listening(let isListening, let why): note("listening \(isListening) \(why ?? "")", &outputs)
    case .deafened: break
    case .random(let bytes):
      note("random \(bytes.count)", &outputs)
      outputs.append(.publish("random", bytes))
    case .request(let request): answer(request, &outputs)
    case .broker(let isConnected): note("broker \(isConnected)", &outputs)
    case .stopping:
      note("stopping", &outputs)
      if let farewell { outputs.append(.send(Output.Send(Array(farewell.utf8)))) }
    case .timerFired(let name): note("timer \(name)", &outputs)
    }
  }

  private mutating func note(_ text: String, _ outputs: inout [Output]) {
    heard.append(.text(text))
    outputs.append(.report(Self.property, .list(heard)))
  }

  private func obey(_ order: Value, _ outputs: inout [Output]) {
    guard case .object(let members) = order else { return }
    for (name, value) in members.pairs {
      switch (name, value) {
      case ("remember", _): outputs.append(.remember(value))
      case ("when_kept", .text(let name)): outputs.append(.setTimerWhenKept(name))
      case ("random", .integer(let count)): outputs.append(.wantRandom(bytes: count))
      case ("connect", .text(let role)): outputs.append(.connect(LinkRole(role)))
      case ("finish", .text(let role)): outputs.append(.sessionFinished(LinkRole(role)))
      case ("send", .text(let text)): outputs.append(.send(Output.Send(Array(text.utf8), number: 7)))
      case ("say", .text(let text)):
        outputs.append(.send(Output.Send(Array(text.utf8), on: "microphone", number: 8)))
      default: break
      }
    }
  }

  private mutating func answer(_ request: KindRequest, _ outputs: inout [Output]) {
    note("request \(request.name)", &outputs)
    switch request.name {
    case "probe/echo/twice":
      for _ in 0..<2 { outputs.append(.answer(request.number, .success(.object(request.parameters)))) }
    case "probe/refuse":
      outputs.append(.answer(request.number, .failure(Rejection(.lockedOut, "refused in words"))))
    default: break
    }
  }
}

extension Probe {
  static let kinds = [
    kind("probe", links: []),
    kind("board_probe", links: [LinkRequirement(transports: LinkRequirement.Transport.allCases)]),
    kind("lazy_probe", links: [LinkRequirement(transports: [.tcp], session: .onDemand)]),
    kind(
      "two_probe",
      links: [
        LinkRequirement(transports: [.tcp]),
        LinkRequirement(role: "microphone", transports: [.tcp, .capture], speaks: false),
      ]),
    kind("ear_probe", links: [], interest: .all), kind("wide_probe", links: []),
  ]

  private static func kind(
    _ name: String, links: [LinkRequirement], interest: AdvertisementInterest = .nothing
  ) -> Kind {
    Kind(
      name: name, summary: "Shows what an adapter is told.",
      options: OptionSchema([
        .list("follow", of: .rawText(1...200), count: 0...20, summary: "Topic filters."),
        .text("farewell", maximum: 100_000, summary: "Last words."),
      ]),
      links: links, requests: name == "ear_probe" ? [] : ["probe/echo/twice", "probe/refuse", "probe/silent"]
    ) { options, _ in
      var probe = Probe()
      probe.advertisementInterest = interest
      probe.idleSensors = name == "wide_probe" ? 100 : 0
      probe.farewell = options.text("farewell")
      probe.followedTopics = options.texts("follow").enumerated().map {
        FollowedTopic("\($0)", filter: $1)
      }
      return probe
    }
  }
}
