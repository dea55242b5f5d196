import Cryptography
public import EventLoop

/// A newer garage door behind a Bluetooth LE radio: it speaks in lines, and obeys only the answer to its challenge, as
/// the documentation's page of the exchange lays it out.
@Loop public final class NewerGarageBoard: SimulatedPeripheral, Awaitable {
  public let advertisedName: String? = "S2MGate"
  public let services = [SimulatedService.nus]
  /// Its lines, and what was said in them.
  public let board: SimulatedSketchBoard
  /// By place, from 1 on.
  public private(set) var pins: [Int: String]
  /// How often the relay pulsed, and how often it refused to.
  public private(set) var pulses = 0
  public private(set) var refusals = 0
  /// Challenges that it has told.
  public private(set) var challenges: [String] = []
  /// Packets from the central, in their order, also those that the board did not get.
  public private(set) var received: [[UInt8]] = []
  /// Called at each pulse of the relay, with what is told of the door then.
  public var onPulse: @Loop (String) -> Void = { _ in }
  /// Called with each command that it has obeyed, but for those that are in an answer to its challenge: `light=1`.
  public var onObeyed: @Loop (String) -> Void = { _ in }
  /// Called with each packet of the central's; the board gets those for which this is true.
  public var receives: @Loop ([UInt8]) -> Bool = { _ in true }
  /// It tells the same challenge again and again, as one who has recorded it would.
  public var repeatsChallenge = false
  public let waits = Waits()

  private let key: [UInt8]
  private let master: String
  private let travelTime: Duration
  private let closingInterval: Duration
  private var starts: UInt32 = 0
  private var link: SimulatedLink?
  private var timers: [LoopTimer] = []

  public nonisolated static let places = 19

  /// - Parameters:
  ///   - key: 32 bytes.
  ///   - pins: In their places from 1 on, of five characters each.
  public init(
    key: [UInt8], master: String, pins: [String], closingInterval: Duration, travelTime: Duration
  ) {
    self.key = key
    self.master = master
    self.travelTime = travelTime
    self.closingInterval = closingInterval
    self.pins = Dictionary(uniqueKeysWithValues: pins.enumerated().map { ($0 + 1, $1) })
    board = SimulatedSketchBoard(
      SelfDescribingSketch(
        "Garage door", identity: "5a17c0de", keepsIdentity: true, limit: 96, isQuiet: true,
        [
          SketchEntity("c", "door", "", "cgarage", "k"),
          SketchEntity("n", "closing_interval", "Closing interval", "r5:600:1", "us", "p0"),
          SketchEntity("w", "light", "Light"), SketchEntity("e", "alert", "Alert", "oleft_open"),
          SketchEntity("t", "challenge", "Challenge", "l32"),
          SketchEntity("x", "authorize", "Authorize", "l77"), SketchEntity("t", "pins", "PINs", "l76"),
        ]))
    board.packetSize = 20
    board.onObeyed = { [weak self] in self?.obeyed($0) }
    board.onRefused = { [weak self] in self?.refused($0) }
    start()
  }

  public func stop() {
    timers.forEach { $0.cancel() }
    board.stop()
    link?.drop()
    waits.end()
  }

  /// The power fails and is back: the link is gone, and so is the challenge.
  public func restart() {
    link?.drop()
    board.change { $0.linkDown() }
    start()
  }

  private func start() {
    starts += 1
    timers.forEach { $0.cancel() }
    board.change { sketch in
      sketch.set("door", "0")
      sketch.set("closing_interval", "\(closingInterval.components.seconds)")
      sketch.set("light", "0")
      sketch.set("authorize", "\"")
    }
    tellPINs()
    renewChallenge()
  }

  // MARK: the link

  public func connected(_ link: SimulatedLink) {
    self.link = link
    board.linkUp { [weak link] bytes in link?.notify(bytes) }
  }

  public func written(_ bytes: [UInt8], to characteristic: String) {
    received.append(bytes)
    if received.count > 10_000 { received.removeFirst(5_000) }
    if receives(bytes) { board.received(bytes) }
    waits.look()
  }

  public func disconnected() {
    link = nil
    board.linkDown()
    renewChallenge()
  }

  public var summary: String {
    "\(pulses) pulses, \(refusals) refusals, the door is \(door); \(board.summary)"
  }

  // MARK: the exchange

  /// What is told of the door: 0 closed, 1 open, 2 opening, 3 closing.
  public var door: String { board.sketch.value("door") ?? "?" }
  private var challenge: String { String((board.sketch.value("challenge") ?? "\"").dropFirst()) }

  /// As the sketch does of itself after a while.
  public func renewChallenge() {
    if !repeatsChallenge || challenges.isEmpty {
      let counts = [starts, UInt32(challenges.count)].flatMap { count in
        (0..<4).map { UInt8(truncatingIfNeeded: count >> ($0 * 8)) }
      }
      let tag = Self.tag(of: Array("challenge".utf8) + counts, key)
      challenges.append(Self.hexadecimal(tag.prefix(16)))
    }
    board.change { $0.set("challenge", "\"" + (challenges.last ?? "")) }
    prepare()
  }

  private func tellPINs() {
    let marks = (1...Self.places).map { place -> String in
      guard let pin = pins[place] else { return "----" }
      let tag = Self.tag(of: Array("garage-p".utf8) + [UInt8(place)] + Array(pin.utf8), key)
      return Self.hexadecimal(tag.prefix(2))
    }
    board.change { $0.set("pins", "\"" + marks.joined()) }
  }

  /// Gives the sketch its view of what would be right now.
  private func prepare() {
    let judgement = GarageJudgement(
      key: key, challenge: challenge, master: master, pins: Array(pins.values),
      isClosed: door == "0")
    board.change { sketch in
      sketch.judge = { key, value in
        switch key {
        case "authorize": judgement.refusal(of: String(value.dropFirst()))
        case "door": "i|authorize it"
        default: nil
        }
      }
    }
  }

  private func refused(_ command: String) {
    guard command.hasPrefix("authorize=") else { return }
    refusals += 1
    renewChallenge()
  }

  private func obeyed(_ command: String) {
    guard command.hasPrefix("authorize=\"") else { return onObeyed(command) }
    let word = command.dropFirst("authorize=\"".count)
    switch word.first {
    case "O": open()
    case "C": if door == "1" || door == "2" { close() }
    default:
      if let change = GarageJudgement.change(in: String(word), key) {
        pins[change.place] = word.first == "P" ? String(decoding: change.pin, as: UTF8.self) : nil
      }
    }
    board.change { $0.set("authorize", "\"") }
    tellPINs()
    renewChallenge()
  }

  // MARK: the door

  private func open() {
    pulse("2")
    after(travelTime) { $0.set("1") }
    after(closingInterval) { if $0.door != "0" { $0.close() } }
  }

  private func close() {
    timers.forEach { $0.cancel() }
    pulse("3")
    after(travelTime) { $0.set("0") }
  }

  private func pulse(_ door: String) {
    pulses += 1
    set(door)
    onPulse(door)
  }

  private func set(_ door: String) {
    board.change { $0.set("door", door) }
    prepare()
  }

  private func after(_ time: Duration, _ body: @escaping @Loop (NewerGarageBoard) -> Void) {
    timers.append(
      LoopTimer(after: time) { [weak self] in
        guard let self else { return }
        body(self)
        waits.look()
      })
  }

  nonisolated static func tag(of message: [UInt8], _ key: [UInt8]) -> [UInt8] {
    (try? MessageAuthentication.tag(of: message, key: key)) ?? []
  }

  nonisolated static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
