import Adapters
import DeviceModel
import JSON

/// A profile in talk with sample lines instead of a board: what would be published, and what would be sent.
struct ProfileTrial {
  /// For a terminal, a line each.
  private(set) var report: [String] = []
  /// Samples that were not understood.
  private(set) var failures = 0
  private(set) var samples = 0

  private var profile: Profile
  private var now = Moment(uptime: .zero, wall: Timestamp(seconds: 0))
  private var timers: [String: Duration] = [:]

  init(_ profile: Profile, samples: [String]) {
    self.profile = profile
    var outputs: [Output] = []
    feed(.linkUp(.board, maximumPacket: nil), into: &outputs)
    let greetings = profile.greetings
    if !greetings.isEmpty {
      report.append("on connect")
      for bytes in greetings { report.append("  sends \(Self.shown(bytes))") }
    }
    for sample in samples where !sample.isEmpty { take(sample) }
    if self.samples > 0 { takeRest() }
    showCommands()
  }

  // MARK: what comes from the board

  private mutating func take(_ sample: String) {
    samples += 1
    report.append("< \(ConfigurationProblem.excerpt(of: sample, limit: 200))")
    guard let bytes = profile.bytes(ofSample: sample) else {
      return fail("not understood: pairs of hexadecimal digits are expected behind 0x")
    }
    var outputs: [Output] = []
    feed(.received(.board, bytes), into: &outputs)
    if profile.isCutBySilence { fallSilent(into: &outputs) }
    show(outputs)
  }

  /// What is still awaited counts as it is when nothing more comes.
  private mutating func takeRest() {
    var outputs: [Output] = []
    fallSilent(into: &outputs)
    guard !outputs.isEmpty else { return }
    report.append("< (silence)")
    show(outputs)
  }

  /// Longer than any board is waited for.
  private mutating func fallSilent(into outputs: inout [Output]) {
    guard timers.removeValue(forKey: "frame") != nil else { return }
    now = now.advanced(by: .seconds(3600))
    feed(.timerFired("frame"), into: &outputs)
  }

  private mutating func show(_ outputs: [Output]) {
    var state = Value.Members()
    var isUnderstood = false
    for output in outputs {
      switch output {
      case .report(let key, let value):
        state[key.text] = profile.description[key]?.stateValue(of: value) ?? value
      case .event(let type, let facts):
        let members = Value.Members([("event_type", .text(type))] + facts.pairs.map { ($0.name, $0.value) })
        report.append("  event \(JSON.text(of: .object(members)))")
        isUnderstood = true
      case .undecodable(let count, let why): fail("\(count) bytes not understood: \(why)")
      case .alive: isUnderstood = true
      default: break
      }
    }
    if !state.isEmpty {
      report.append("  publishes \(JSON.text(of: .object(state)))")
    } else if isUnderstood {
      report.append("  understood")
    } else if !outputs.contains(where: { if case .undecodable = $0 { true } else { false } }) {
      report.append(profile.isBetweenMessages ? "  understood, and no sign of life" : "  nothing yet")
    }
  }

  private mutating func fail(_ words: String) {
    failures += 1
    report.append("  \(words)")
  }

  // MARK: what goes to the board

  private mutating func showCommands() {
    let settable = profile.description.properties.filter { !$0.verbs.isEmpty }
    guard !settable.isEmpty else { return }
    for property in settable {
      for verb in property.verbs { for value in Self.values(of: property) { show(property, verb, value) } }
    }
  }

  private mutating func show(_ property: Property, _ verb: Property.Verb, _ value: Value) {
    let shown = value == .unknown ? "PRESS" : property.stateValue(of: value).brief
    report.append("> \(property.key)\(verb == .set ? "" : "/\(verb.rawValue)") \(shown)")
    // Each on its own: what one awaits must not hold up the next.
    var copy = self
    copy.profile.forgetQueue()
    var outputs: [Output] = []
    copy.feed(
      .commands(CommandBatch(number: 1, [DeviceModel.Command(property.key, verb: verb, value)])),
      into: &outputs)
    var steps = 0
    while let timer = copy.timers["pause"], steps < 16 {
      copy.now = copy.now.advanced(by: max(.zero, timer - copy.now.uptime))
      copy.timers["pause"] = nil
      copy.feed(.timerFired("pause"), into: &outputs)
      steps += 1
    }
    for output in outputs {
      switch output {
      case .send(let send): report.append("  sends \(Self.shown(send.bytes))")
      case .reject(_, _, let rejection):
        report.append("  refused (\(rejection.reason.rawValue)): \(rejection.explanation)")
      default: break
      }
    }
  }

  /// Some that can be set.
  private static func values(of property: Property) -> [Value] {
    switch property.kind {
    case .switch: [true, false]
    case .number(let range, _):
      range.minimum == range.maximum
        ? [.number(range.minimum)] : [.number(range.minimum), .number(range.maximum)]
    case .select(let options): options.map { .text($0) }
    case .button: [.unknown]
    case .text: ["text"]
    case .lock: ["LOCK", "UNLOCK"]
    case .cover(_, let canClose, let canStop):
      ["OPEN"] + (canClose ? ["CLOSE"] : []) + (canStop ? ["STOP"] : [])
    default: []
    }
  }

  // MARK: the talk

  private mutating func feed(_ input: Input, into outputs: inout [Output]) {
    var new: [Output] = []
    profile.handle(input, at: now, into: &new)
    for output in new {
      switch output {
      case .setTimer(let name, let delay): timers[name] = now.uptime + delay
      case .cancelTimer(let name): timers[name] = nil
      default: break
      }
    }
    outputs += new
  }

  /// `"T=21\n"  54 3D 32 31 0A`; bytes alone where they are no text.
  static func shown(_ bytes: [UInt8]) -> String {
    let hex = bytes.capitalHexadecimal(separator: " ")
    var text = ""
    for byte in bytes {
      switch byte {
      case 0x0A: text += "\\n"
      case 0x0D: text += "\\r"
      case 0x22, 0x5C: text += "\\" + String(Unicode.Scalar(byte))
      case 0x20..<0x7F: text.unicodeScalars.append(Unicode.Scalar(byte))
      default: return hex
      }
    }
    return "\"\(text)\"  \(hex)"
  }
}

extension Value {
  fileprivate var brief: String { if case .text(let text) = self { text } else { JSON.text(of: self) } }
}
