import DeviceModel
import EventLoop
import Simulation
import TestSupport
import Testing

/// The garage door's sketch in lines, where it obeys only the answer to its challenge.
@Suite(.enabled(if: Firmware.areThere("GarageDoor"), Firmware.notThere))
struct NewerGarageFirmwareTests {
  init() { #expect(LoopThread.started) }

  private static let withKey = "key: \"\(FirmwareGarage.key)\""

  /// Runs `body` when the bridge knows where the door is.
  @Loop private func meet(
    _ options: String = withKey, _ body: @escaping @Loop (FirmwareHouse, FirmwareGarage) async throws -> Void
  ) async throws {
    try await withFirmwareGarage(options: options) { house, garage in
      try await house.message("garage") { $0.state("door") == "closed" && $0.state("closing_interval") == 5 }
      try await body(house, garage)
    }
  }

  /// The line by which the bridge answers a challenge.
  private static func isAnswer(_ line: String) -> Bool {
    line.hasPrefix("C") && line.contains("=\"O") || line.contains("=\"C")
  }

  /// The same with another sequence, for the board not to take it for one that it knows.
  private static func anew(_ line: String, _ sequence: Character) -> String {
    "C\(sequence)" + line.dropFirst(2)
  }

  /// Says an answer to the board and awaits what it says to that: `+` or the letter of a refusal.
  @Loop private func say(_ line: String, to garage: FirmwareGarage) async throws -> String {
    let sequence = line.dropFirst().prefix(1)
    let seen = garage.tap.boardSaid.count
    garage.tap.say(line)
    let answer = try await garage.tap.boardSaid.first(from: seen) { $0.hasPrefix("a\(sequence)") }
    return String(answer.dropFirst(2).prefix(2))
  }

  @Test @Loop func `its challenge is answered, the relay pulses once, and it tells where the door is`()
    async throws
  {
    try await meet { house, garage in
      let seen = house.seen
      try await house.publish("OPEN", to: "garage/door/set")
      try await garage.pulse(1)
      try await house.message("garage", from: seen) { $0.state("door") == "opening" }
      try await house.message("garage/event", from: seen) { $0.text.contains("\"opened\"") }
      try await garage.pulse(2)
      let closed = house.seen
      try await house.message("garage", from: seen) { $0.state("door") == "closed" }

      // Once more, with another answer, and closed by hand.
      try await house.publish("OPEN", to: "garage/door/set")
      try await garage.pulse(3)
      try await house.message("garage", from: closed) { $0.state("door") == "opening" }
      try await house.publish("CLOSE", to: "garage/door/set")
      try await garage.pulse(4)
      let answers = garage.tap.bridgeSaid.all.filter(Self.isAnswer)
      #expect(answers.count >= 3 && Set(answers.map { $0.dropFirst(4) }).count == 3)
      for said in garage.tap.bridgeSaid.all + garage.tap.boardSaid.all {
        #expect(!said.contains(FirmwareGarage.anna))
      }
    }
  }

  @Test @Loop func `its light and its closing interval follow, and the interval outlives a power cut`()
    async throws
  {
    try await meet { house, garage in
      let light = try await garage.simulator.changes(of: "D6")
      try await house.publish(#"{"light":"ON","closing_interval":7}"#, to: "garage/set")
      try await light.level(true)
      try await house.message("garage") { $0.state("light") == "ON" && $0.state("closing_interval") == 7 }
      let seen = house.seen
      await garage.cutPower()
      try await garage.restorePower()
      try await house.message("garage", from: seen) {
        $0.state("light") == "OFF" && $0.state("closing_interval") == 7
      }
      #expect(garage.relay.count == 0)
    }
  }

  @Test @Loop func `an answer overheard and said again leaves the relay quiet`() async throws {
    try await meet { house, garage in
      let seen = house.seen
      try await house.publish("OPEN", to: "garage/door/set")
      let answer = try await garage.tap.bridgeSaid.first(where: Self.isAnswer)
      try await garage.pulse(2)
      try await house.message("garage", from: seen) { $0.state("door") == "closed" }
      // With its sequence it is taken for the bridge's, that has not heard the board; it is not obeyed again.
      #expect(try await say(answer, to: garage) == "+")
      #expect(try await say(Self.anew(answer, "y"), to: garage) == "-i")
      #expect(try await say(Self.anew(answer, "z"), to: garage) == "-i")
      #expect(garage.pulses == 2)
      // Plain words open nothing either, nor do PINs while a bridge listens.
      #expect(try await say("Cw0=1", to: garage) == "-i")
      try await garage.say(packet: "48151O=1")
      #expect(garage.pulses == 2)
    }
  }

  @Test @Loop func `answers kept back and said later, in any order, leave the relay quiet`() async throws {
    try await meet { house, garage in
      garage.tap.keepsBack = Self.isAnswer
      try await house.publish("OPEN", to: "garage/door/set")
      let first = try await garage.tap.bridgeSaid.first(where: Self.isAnswer)
      // Nobody answers: the bridge gives up, and its session ends with it.
      try await house.message("garage/event") { $0.text.contains("\"refused\"") }
      garage.board.drop()
      let reached = garage.tap.bridgeSaid.count
      let told = garage.tap.boardSaid.count
      try await garage.tap.bridgeSaid.first(from: reached) { $0.hasPrefix("G") }
      try await garage.tap.boardSaid.first(from: told) { $0.hasPrefix("p") }
      try await house.publish("OPEN", to: "garage/door/set")
      let second = try await garage.tap.bridgeSaid.first(from: reached, where: Self.isAnswer)
      #expect(first.dropFirst(2) != second.dropFirst(2))
      #expect(try await say(Self.anew(first, "x"), to: garage) == "-i")
      // That was an answer to the challenge that the second is for.
      #expect(try await say(Self.anew(second, "y"), to: garage) == "-i")
      #expect(garage.relay.count == 0)
    }
  }

  @Test @Loop func `with another key the relay is quiet, however often, and who has the right one is let in`()
    async throws
  {
    let wrong = String(FirmwareGarage.key.reversed())
    try await meet("key: \"\(wrong)\"") { house, garage in
      for count in 1...6 {
        let seen = house.seen
        try await house.publish("OPEN", to: "garage/door/set")
        try await house.message("bridge/main/event", from: seen) { $0.text.contains("command_failed") }
        try await house.message("garage/event", from: seen) { $0.text.contains("\"refused\"") }
        #expect(garage.tap.bridgeSaid.all.count(where: Self.isAnswer) >= count)
      }
      #expect(garage.relay.count == 0)
      let seen = house.seen
      try await house.reload(FirmwareGarage.configuration(Self.withKey, on: garage.bus))
      try await house.message("garage", from: seen) { $0.state("door") == "closed" }
      try await house.publish("OPEN", to: "garage/door/set")
      try await garage.pulse(1)
    }
  }

  @Test @Loop func `a power cut between the challenge and its answer makes the answer worthless`()
    async throws
  {
    try await meet { house, garage in
      garage.tap.keepsBack = Self.isAnswer
      try await house.publish("OPEN", to: "garage/door/set")
      let answer = try await garage.tap.bridgeSaid.first(where: Self.isAnswer)
      await garage.cutPower()
      try await house.message("garage/event") { $0.text.contains("\"refused\"") }
      garage.tap.keepsBack = { _ in false }
      let seen = house.seen
      try await garage.restorePower()
      try await house.message("garage", from: seen) { $0.state("door") == "closed" }
      let said = garage.tap.boardSaid.count
      #expect(try await say(Self.anew(answer, "x"), to: garage) == "-i")
      #expect(garage.relay.count == 0)
      // The next challenge has to reach the bridge first.
      try await garage.tap.boardSaid.first(from: said) { $0.hasPrefix("v4=") }
      try await house.publish("OPEN", to: "garage/door/set")
      try await garage.pulse(1)
    }
  }
}
