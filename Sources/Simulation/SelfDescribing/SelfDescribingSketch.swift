/// The program of a board that describes itself: what it says and obeys, without a link and without a clock.
public struct SelfDescribingSketch: Sendable {
  public var name: String
  /// Eight hexadecimal digits.
  public var identity: String?
  public var keepsIdentity: Bool
  /// `v1.0`, `mUNO`.
  public var attributes: [String]
  public var limit: Int
  /// Says hello only when it is asked.
  public var isQuiet: Bool
  public private(set) var entities: [SketchEntity]
  /// By key: what the next commands for it are refused with, `n|the window is open`.
  public var refusals: [String: String] = [:]
  /// Looks at a command before it is obeyed, its key and its value: what it is refused with, or nil.
  public var judge: (@Sendable (String, String) -> String?)?
  /// Answers that are lost on their way.
  public var answersToLose = 0
  /// Value lines that are lost on their way.
  public var valuesToLose = 0

  public private(set) var isHeard = false
  /// Bodies of the lines that have come, the newest 1000.
  public private(set) var received: [String] = []
  /// Presses of buttons, and other commands that were obeyed: `pump=1`.
  public private(set) var obeyed: [String] = []
  /// Commands that ``judge`` refused.
  public private(set) var refused: [String] = []

  private var output: [[UInt8]] = []
  private var reader: SketchLineReader
  private var lines = 0
  private var brokenBefore = 0
  private var lastSequence: Character?
  private var helloAt: Duration?
  private var helloWait = Duration.seconds(1)
  private var heardAt = Duration.zero

  public init(
    _ name: String, identity: String? = nil, keepsIdentity: Bool = false, attributes: [String] = [],
    limit: Int = 48, isQuiet: Bool = false, _ entities: [SketchEntity]
  ) {
    self.name = name
    self.identity = identity
    self.keepsIdentity = keepsIdentity
    self.attributes = attributes
    self.limit = limit
    self.isQuiet = isQuiet
    self.entities = entities
    reader = SketchLineReader(limit: limit)
  }

  public var token: String {
    SketchLines.token(["h1|\(restOfHello)"] + entities.enumerated().map { $1.description($0) })
  }

  private var restOfHello: String {
    (["\(identity ?? "")\(keepsIdentity ? "+" : "")", "\(limit)", "\(entities.count)", name] + attributes)
      .joined(separator: "|")
  }

  /// The seconds of the attribute `q`, else 35.
  private var patience: Duration {
    .seconds(attributes.first { $0.hasPrefix("q") }.flatMap { Int($0.dropFirst()) } ?? 35)
  }

  private var hello: String { "h1|\(token)|\(restOfHello)" }

  // MARK: the link

  public mutating func linkUp(at now: Duration) {
    linkDown()
    helloAt = isQuiet ? nil : now
  }

  public mutating func linkDown() {
    reader.reset()
    output = []
    forget()
    helloAt = nil
  }

  private mutating func forget() {
    isHeard = false
    lastSequence = nil
    helloWait = .seconds(1)
  }

  public mutating func receive(_ bytes: [UInt8], at now: Duration) {
    if bytes.contains(UInt8(ascii: "~")) { heardAt = now }
    for body in reader.take(bytes) { take(body, at: now) }
  }

  /// What there is to send now.
  public mutating func turn(at now: Duration) -> [UInt8] {
    if isHeard, now - heardAt > patience {
      forget()
      helloAt = isQuiet ? nil : now
    }
    if !isHeard, let due = helloAt, now >= due {
      say(hello)
      helloAt = now + helloWait
      helloWait = min(helloWait * 2, .seconds(16))
    }
    defer { output = [] }
    return Array(output.joined())
  }

  // MARK: what happens on the board

  /// - Parameter value: As it stands in a value line: `21.5`, `"text`, `?`.
  public mutating func set(_ key: String, _ value: String) {
    guard let index = index(of: key) else { return }
    entities[index].value = value
    if isHeard { sayValue(index) }
  }

  public mutating func fire(_ key: String, _ type: String) {
    guard let index = index(of: key), let number = entities[index].options.firstIndex(of: type) else {
      return
    }
    if isHeard { say("e\(index)=\(number)") }
  }

  public func value(_ key: String) -> String? { index(of: key).map { entities[$0].value } }
  public func rows(_ key: String) -> [String?] { index(of: key).map { entities[$0].rows } ?? [] }

  private func index(of key: String) -> Int? { entities.firstIndex { $0.key == key } }

  private mutating func say(_ body: String) {
    output.append(SketchLines.framed(body))
    lines = (lines + 1) % 65536
  }

  private mutating func sayValue(_ index: Int) {
    for body in entities[index].valueLines(index) {
      say(body)
      guard valuesToLose > 0 else { continue }
      valuesToLose -= 1
      output.removeLast()
    }
  }

  private mutating func sayAll() {
    for index in entities.indices where entities[index].hasValue { sayValue(index) }
    pong()
  }

  private mutating func pong() {
    say("p\(lines)|\(reader.broken - brokenBefore)|0")
  }

  // MARK: what the bridge says

  private mutating func take(_ body: String, at now: Duration) {
    received.append(body)
    if received.count > 1000 { received.removeFirst(500) }
    let rest = String(body.dropFirst())
    switch body.first {
    case "W": say(hello)
    case "D":
      for index in entities.indices where rest.isEmpty || rest == "\(index)" {
        say(entities[index].description(index))
      }
    case "G" where rest == token:
      forget()
      isHeard = true
      heardAt = now
      brokenBefore = reader.broken
      say("g\(token)")
      lines = 0
      sayAll()
    case "G": say(hello)
    case "P": if isHeard { pong() } else { say(hello) }
    case "R": if isHeard { sayAll() } else { say(hello) }
    case "C": obey(rest)
    case "I":
      if keepsIdentity, rest.count == 8, rest != "00000000" {
        identity = rest
        forget()
      }
      say(hello)
    case "B":
      forget()
      helloAt = isQuiet ? nil : now + .seconds(16)
    default: break
    }
  }

  private mutating func obey(_ command: String) {
    guard let sequence = command.first else { return }
    let rest = command.dropFirst()
    guard isHeard else {
      answer("a\(sequence)-s")
      return say(hello)
    }
    let isRepeated = sequence == lastSequence
    lastSequence = sequence
    guard let sign = rest.firstIndex(of: "="), let index = Int(rest[..<sign]),
      (1...2).contains(rest[..<sign].count)
    else { return answer("a\(sequence)-i") }
    guard entities.indices.contains(index) else { return answer("a\(sequence)-k") }
    let value = String(rest[rest.index(after: sign)...])
    if !isRepeated {
      if let refusal = judge?(entities[index].key, value) {
        refused.append("\(entities[index].key)=\(value)")
        return answer("a\(sequence)-\(refusal)")
      }
      if let refusal = refusals[entities[index].key] { return answer("a\(sequence)-\(refusal)") }
      if let refusal = entities[index].obey(value) { return answer("a\(sequence)-\(refusal)") }
      obeyed.append("\(entities[index].key)=\(value)")
    }
    answer("a\(sequence)+")
    if entities[index].hasValue { sayValue(index) }
  }

  private mutating func answer(_ body: String) {
    say(body)
    guard answersToLose > 0 else { return }
    answersToLose -= 1
    output.removeLast()
  }
}

extension SelfDescribingSketch {
  /// A board of many kinds of entities.
  public static func greenhouse(_ name: String = "Greenhouse", identity: String? = "3fa9c210") -> Self {
    var sketch = Self(
      name, identity: identity, keepsIdentity: true, attributes: ["mUNO", "v1.0"], limit: 128,
      [
        SketchEntity("s", "temperature", "Temperature", "u°C", "ctemperature", "sm", "p1"),
        SketchEntity("t", "phase", "Phase", "l12"),
        SketchEntity("k", "wind", "Wind", "ocalm", "obreeze", "ostorm"),
        SketchEntity("i", "next_watering", "Next watering", "gd"),
        SketchEntity("b", "window", "Window", "cwindow"), SketchEntity("w", "pump", "Pump"),
        SketchEntity("n", "target", "Target temperature", "r5:30:0.5", "u°C", "ctemperature", "p1", "gc"),
        SketchEntity("o", "mode", "Mode", "oautomatic", "omanual", "oaway"),
        SketchEntity("p", "water", "Water now", "imdi:watering-can"),
        SketchEntity("x", "message", "Message", "l16"), SketchEntity("e", "bell", "Bell", "oshort", "olong"),
        SketchEntity("l", "door", "Door"), SketchEntity("c", "roof", "Roof", "cwindow", "k", "h"),
        SketchEntity("j", "timers", "Timers", "n4", "l60"),
      ])
    for (key, value) in [
      ("temperature", "21.5"), ("phase", "\"ripening"), ("wind", "0"), ("next_watering", "1796000000"),
      ("window", "0"), ("pump", "0"), ("target", "20"), ("mode", "0"), ("message", "\""), ("door", "1"),
      ("roof", "0"),
    ] {
      sketch.set(key, value)
    }
    return sketch
  }
}
