import DeviceModel
import Simulation
import Testing

@testable import Adapters

/// The board makes a new challenge every minute. Who answers the old one in that moment answers once more.
struct `A challenge that is renewed` {
  private func talk() throws -> NewerTalk {
    var talk = try NewerTalk()
    talk.connect()
    return talk
  }

  @Test func `while OPEN is on its way is answered anew`() throws {
    var talk = try talk()
    talk.refusesNext = 1
    talk.garage.command("door", "OPEN")
    talk.run(2)
    #expect(talk.words.count == 1, "the one that was obeyed")
    #expect(talk.refused.count == 1)
    #expect(talk.garage.happened("opened").count == 1)
    #expect(talk.garage.happened("refused").isEmpty)
    #expect(talk.garage.rejections.isEmpty)
  }

  @Test func `and is told late is waited for, three seconds at most`() throws {
    var talk = try talk()
    talk.refusesNext = 1
    talk.renewsWhenRefused = false
    talk.garage.command("door", "OPEN")
    talk.run(2)
    #expect(talk.garage.rejections.isEmpty && talk.garage.happened("opened").isEmpty)
    talk.renew()
    talk.run(0.2)
    #expect(talk.garage.happened("opened").count == 1)

    talk.sketch.set("door", "0")
    talk.run(70)
    talk.refusesNext = 1
    talk.garage.command("door", "OPEN")
    talk.run(3.2)
    #expect(talk.garage.rejections.map(\.reason) == [.linkError])
    talk.renew()
    talk.run(10)
    #expect(talk.words.count == 1, "nothing is done later")
    // And the door is known to be closed: the board did nothing.
    talk.garage.command("door", "OPEN")
    talk.run(1)
    #expect(talk.words.count == 2)
  }

  @Test func `leaves the second answer the rest of the ten seconds`() throws {
    var talk = try talk()
    talk.refusesNext = 1
    talk.answersToLose = true
    talk.garage.command("door", "OPEN")
    talk.run(4)
    #expect(talk.garage.rejections.isEmpty, "the answer to the second may take as long as to a first")
    talk.run(7)
    #expect(talk.garage.rejections.map(\.reason) == [.linkError])
  }

  @Test func `is not answered a third time`() throws {
    var talk = try talk()
    talk.refusesNext = 10
    talk.garage.command("door", "OPEN")
    talk.run(12)
    #expect(talk.refused.count == 2)
    #expect(talk.garage.rejections.map(\.reason) == [.linkError])
    #expect(talk.garage.rejections.first?.explanation.contains("not the answer") == true)
    // A wrong key does not lock everybody out twice as fast.
    talk.garage.command("door", "OPEN")
    talk.run(12)
    #expect(talk.refused.count == 3)
    talk.refusesNext = 0
    talk.garage.command("door", "OPEN")
    talk.run(2)
    talk.sketch.set("door", "0")
    talk.run(70)
    talk.refusesNext = 1
    talk.garage.command("door", "OPEN")
    talk.run(2)
    #expect(talk.garage.happened("opened").count == 2, "after one that was right there is a second try again")
  }

  @Test func `that was told before the refusal is not taken for the new one`() throws {
    var talk = try talk()
    talk.refusesNext = 1
    talk.tellsBeforeRefusal = true
    talk.garage.command("door", "OPEN")
    talk.run(2)
    #expect(talk.refused.count == 1)
    #expect(talk.garage.happened("opened").count == 1)
  }

  @Test func `by a board that starts anew meanwhile opens nothing later`() throws {
    var talk = try talk()
    talk.refusesNext = 1
    talk.renewsWhenRefused = false
    talk.garage.command("door", "OPEN")
    talk.run(0.5)
    talk.garage.disconnect("lost")
    #expect(talk.garage.rejections.map(\.reason) == [.away])
    talk.connect()
    talk.run(10)
    #expect(talk.words.isEmpty)
  }

  @Test func `while a PIN is changed is answered anew, and counts as no wrong request`() throws {
    var talk = try talk()
    for number in 1...6 as ClosedRange<UInt64> {
      talk.refusesNext = 1
      talk.garage.feed(
        .request(
          KindRequest(number: number, "garage/pin/change", ["name": "Anna", "pin": .text("1234\(number)")])))
      talk.run(1)
    }
    #expect(talk.garage.happened("locked_out").isEmpty)
    #expect(talk.words.count == 6 && talk.refused.count == 6)
    #expect(talk.garage.answers.allSatisfy { if case .success = $0.result { true } else { false } })
  }

  @Test func `is given to who came home, not to the PIN, when both wait`() throws {
    var talk = try talk()
    talk.garage.presence("leave")
    talk.refusesNext = 1
    talk.renewsWhenRefused = false
    talk.garage.feed(.request(KindRequest(number: 1, "garage/pin/add", ["name": "Carl", "pin": "05513"])))
    talk.garage.presence("enter")
    talk.run(0.5)
    talk.renew()
    talk.run(3)
    #expect(talk.garage.happened("opened").count == 1)
    #expect(talk.words.first?.hasPrefix("O") == true)
    #expect(talk.garage.answers.count == 1)
  }
}
