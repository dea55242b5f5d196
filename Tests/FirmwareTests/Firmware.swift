import EventLoop
import Foundation
import Simulation
import TestSupport
import Testing

/// The compiled sketches; without them these tests say that they are not run.
enum Firmware {
  static let files = FirmwareFiles(
    folder: Program.packageRoot.appending(path: FirmwareFiles.usualFolder).path)

  static func areThere(_ sketches: String...) -> Bool { files.missing(sketches).isEmpty }

  static let notThere: Comment =
    "NOT RUN: the firmware is not built; `make firmware` builds it, with packages that `make test` installs"

  @Loop static func start(_ sketch: String, _ arguments: [String]) async throws -> FirmwareSimulator {
    try await FirmwareSimulator.start(files.simulator, sketch: files.sketch(sketch), arguments)
  }
}

struct PinChange: Sendable {
  let level: Bool
  /// How long the sketch had run. On a busy machine it runs slower than the clock on the wall.
  let after: Duration
}

extension FirmwareSimulator {
  /// Lets a sketch run that was started with `--paused`; its time server says `seconds` then, since 1970.
  func run(from seconds: Int) async throws {
    try await ask("clock \(seconds)")
    try await ask("resume")
  }

  /// How long the sketch has run.
  func uptime() async throws -> Duration {
    let milliseconds = try await ask("stat").firstMatch(of: /ms=([0-9.]+)/).flatMap { Double($0.1) }
    return .milliseconds(try #require(milliseconds))
  }

  /// What analogWrite() set last, 0 to 255.
  func pulseWidth(of pin: String) async throws -> Int {
    let words = try await ask("pwm \(pin)").split(separator: " ")
    let number = try #require(words.last.flatMap { Int($0) })
    return words.contains("off") ? number * 255 : number
  }

  /// What a pin did, in its order.
  func changes(of pin: String) async throws -> Inbox<PinChange> {
    let inbox = Inbox<PinChange>("pin \(pin)")
    try await watch(pin) { inbox.append(PinChange(level: $0, after: $1)) }
    return inbox
  }
}

extension Inbox<PinChange> {
  @discardableResult
  func level(_ level: Bool, from seen: Int = 0) async throws -> PinChange {
    try await first(from: seen, within: .seconds(60)) { $0.level == level }
  }
}
