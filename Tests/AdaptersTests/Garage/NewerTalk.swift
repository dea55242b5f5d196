import DeviceModel
import Simulation
import Testing

@testable import Adapters

/// A garage door in talk with a board that speaks in lines and wants its challenge answered.
struct NewerTalk {
  var garage: GarageTalk
  var sketch: SelfDescribingSketch
  private var told = 0
  private var challenges = 0
  /// What is sent to the board does not reach it.
  var isDeaf = false
  /// So many answers are wrong by now: the board has made another challenge, and does nothing.
  var refusesNext = 0
  /// What it answers to words that it does not refuse is lost.
  var answersToLose = false
  /// It tells its next challenge after a refusal.
  var renewsWhenRefused = true
  /// It has told another challenge before the refusal, which is none any more.
  var tellsBeforeRefusal = false
  /// Words that the board refused.
  private(set) var refused: [String] = []
  /// Words that the board was given, right or wrong.
  private(set) var words: [String] = []

  /// No board's.
  static let key = "9d27e4b80c5f13a66e81d0fb942c7735e8b6104ad93f5cc27b1e8605f4a9d382"

  init(door: String = "0") throws {
    guard case .object(var options) = GarageTalk.options else { throw CancellationError() }
    options["key"] = .text(Self.key)
    garage = try GarageTalk(.object(options))
    sketch = SelfDescribingSketch(
      "Garage door", limit: 96, isQuiet: true,
      [
        SketchEntity("c", "door", "", "cgarage", "k"),
        SketchEntity("n", "closing_interval", "Closing interval", "r5:600:1", "us", "p0"),
        SketchEntity("w", "light", "Light"), SketchEntity("e", "alert", "Alert", "oleft_open"),
        SketchEntity("t", "challenge", "Challenge", "l32"),
        SketchEntity("x", "authorize", "Authorize", "l77"), SketchEntity("t", "pins", "PINs", "l76"),
      ])
    sketch.set("door", door)
    sketch.set("closing_interval", "40")
    sketch.set("light", "0")
    sketch.set("authorize", "\"")
    sketch.set("pins", "\"" + (try Self.mark(GarageTalk.anna, 1)) + String(repeating: "-", count: 72))
    renew()
  }

  static func mark(_ pin: String, _ place: UInt8) throws -> String {
    try GarageAuthentication.mark(
      of: try #require(GaragePIN(pin)), at: place, key: try #require(GarageKey(key)))
  }

  mutating func renew() {
    challenges += 1
    let digits = String(challenges, radix: 16)
    sketch.set("challenge", "\"" + String(repeating: "0", count: 32 - digits.count) + digits)
  }

  var challenge: String { String((sketch.value("challenge") ?? "").dropFirst()) }

  /// What the board would take.
  func rightWord(_ command: GarageAuthentication.Command, _ pin: String) throws -> String {
    try GarageAuthentication.word(
      command, challenge: try #require(GarageAuthentication.challenge(challenge)),
      pin: try #require(GaragePIN(pin)), key: try #require(GarageKey(Self.key)))
  }

  private var now: Duration { garage.talk.now.uptime }

  /// Both sides talk until they have nothing to say, and time passes.
  mutating func run(_ seconds: Double) {
    for _ in 0..<max(1, Int(seconds * 10)) {
      exchange()
      garage.pass(0.1)
    }
    exchange()
  }

  private mutating func exchange() {
    for _ in 0..<100 {
      let before = told
      while told < garage.sent.count {
        let count = sketch.obeyed.count
        let refusals = sketch.refused.count
        if refusesNext > 0 {
          if tellsBeforeRefusal { renew() }
          sketch.judge = { key, _ in key == "authorize" ? "i|not the answer to the challenge" : nil }
        }
        if answersToLose, refusesNext == 0 { sketch.answersToLose = 100 }
        if !isDeaf { sketch.receive(Array(garage.sent[told].utf8), at: now) }
        sketch.judge = nil
        told += 1
        if sketch.refused.count > refusals, let word = sketch.refused.last, word.hasPrefix("authorize=\"") {
          refusesNext -= 1
          refused.append(word)
          if renewsWhenRefused { renew() }
        }
        if sketch.obeyed.count > count, let obeyed = sketch.obeyed.last, obeyed.hasPrefix("authorize=\"") {
          authorized(String(obeyed.dropFirst(11)))
        }
      }
      let bytes = sketch.turn(at: now)
      if !bytes.isEmpty, garage.talk.isUp { garage.feed(.received(.board, bytes)) }
      if bytes.isEmpty, told == before { return }
    }
  }

  private mutating func authorized(_ word: String) {
    words.append(word)
    if word == (try? rightWord(.open, GarageTalk.anna)) { sketch.set("door", "2") }
    if word == (try? rightWord(.close, GarageTalk.anna)) { sketch.set("door", "3") }
    renew()
  }

  /// As the link of a session that is held.
  mutating func connect() {
    garage.isHeld = true
    garage.connect()
    run(2)
  }
}
