import DeviceModel
import Testing

@testable import Adapters

/// What an error proves that the link brings back for a pulse, and what it does not.
struct `A pulse that was answered with an error` {
  private func answer(mayHaveArrived: Bool, by garage: inout GarageTalk) {
    garage.feed(.notSent(1, "ATT error 0x80", mayHaveArrived: mayHaveArrived))
    garage.pass(0.2)
  }

  @Test func `may have moved the door: no second one is sent before it must be closed again`() throws {
    var garage = try GarageTalk()
    garage.isSent = false
    garage.command("door", "OPEN")
    answer(mayHaveArrived: true, by: &garage)
    #expect(garage.rejections.map(\.reason) == [.linkError])
    let refusal = try #require(garage.happened("refused").first)
    #expect(refusal.text("error")?.contains("may have moved the door") == true)
    #expect(refusal.text("error")?.contains("52 s") == true)
    #expect(refusal.text("error")?.contains("not sent") == false)
    #expect(garage.happened("opened").isEmpty)
    #expect(garage.door == .unknown, "nobody knows where it is")
    for _ in 0..<5 {
      garage.pass(10)
      garage.command("door", "OPEN")
    }
    #expect(garage.pulses.count == 1)
    garage.pass(2)
    #expect(garage.door == "closed")
    garage.command("door", "OPEN")
    #expect(garage.pulses.count == 2)
  }

  @Test func `that proves that nothing was done leaves the door closed`() throws {
    var garage = try GarageTalk()
    garage.isSent = false
    garage.command("door", "OPEN")
    answer(mayHaveArrived: false, by: &garage)
    #expect(garage.happened("refused").first?.text("error")?.hasPrefix("not sent") == true)
    garage.command("door", "OPEN")
    #expect(garage.pulses.count == 2)
  }

  @Test func `lets in who stood before the door a moment ago, not who did so long before`() throws {
    for (pause, isOut) in [(100.0, false), (130, true)] {
      var garage = try GarageTalk()
      garage.presence("leave", person: "ben")
      garage.isReachable = false
      garage.presence("enter", person: "ben")
      garage.pass(11)
      garage.isReachable = true
      garage.pass(pause)
      garage.command("door", "OPEN")
      #expect(garage.happened("opened").count == 1)
      #expect(garage.isArmed("ben") == isOut)
    }
  }

  @Test func `leaves who came as before, and a restart does not forget the doubt`() throws {
    var garage = try GarageTalk()
    garage.isSent = false
    garage.phone("leave", "Home")
    garage.phone("enter", "Garage", after: 1)
    #expect(garage.pulses.count == 1)
    answer(mayHaveArrived: true, by: &garage)
    #expect(garage.isArmed(), "as the person was")
    try garage.restart()
    garage.command("door", "OPEN")
    #expect(garage.pulses.count == 1)
    #expect(garage.rejections.map(\.reason) == [.notNow])
  }
}
