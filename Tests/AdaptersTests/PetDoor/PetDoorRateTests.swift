import DeviceModel
import Testing

@testable import Adapters

struct `How often the pet door reports` {
  private static func temperatures(_ talk: Conversation) -> [Value] {
    talk.changes.filter { $0.key == "temperature" }.map(\.value)
  }

  private static func door() -> Conversation {
    var talk = Conversation(PetDoor())
    _ = talk.connect()
    return talk
  }

  @Test func `an unchanged status says that the board lives, and nothing else`() {
    var talk = Self.door()
    _ = talk.receive("s:1;t:21.50")
    for _ in 0..<100 {
      talk.pass(.milliseconds(10))
      #expect(talk.receive("s:1;t:21.50") == [.alive])
    }
    _ = talk.receive("s:0;t:21.50")
    #expect(talk.state["latch"] == false)
    #expect(talk.receive("s:0;t:21.50") == [.alive])
  }

  @Test func `repeats in pieces are not taken for repeats of the whole`() {
    var talk = Self.door()
    for _ in 0..<3 {
      _ = talk.receive("s:1;t:2")
      #expect(talk.receive("1.50\n").contains(.alive))
    }
    _ = talk.receive("s:0;t:2")
    _ = talk.receive("1.50\n")
    #expect(talk.state["latch"] == false)
    _ = talk.receive("m:1")
    _ = talk.receive("m:0")
    _ = talk.receive("m:1")
    #expect(talk.state["manual_lock"] == true)
  }

  @Test func `a first change is reported at once, hunting between two steps never again`() {
    var talk = Self.door()
    _ = talk.receive("s:1;t:21.50")
    talk.pass(.seconds(5))
    _ = talk.receive("s:1;t:22.00")
    #expect(Self.temperatures(talk) == [21.5, 22.0])
    for round in 0..<1000 {
      talk.pass(.milliseconds(100))
      _ = talk.receive(round.isMultiple(of: 2) ? "s:1;t:21.50" : "s:1;t:22.00")
    }
    #expect(Self.temperatures(talk) == [21.5, 22.0])
  }

  @Test func `a step back that lasts is reported after ten seconds`() {
    var talk = Self.door()
    _ = talk.receive("s:1;t:21.50")
    talk.pass(.seconds(5))
    _ = talk.receive("s:1;t:22.00")
    for _ in 0..<99 {
      _ = talk.receive("s:1;t:21.50")
      talk.pass(.milliseconds(100))
    }
    #expect(Self.temperatures(talk) == [21.5, 22.0])
    for _ in 0..<2 {
      _ = talk.receive("s:1;t:21.50")
      talk.pass(.milliseconds(100))
    }
    #expect(Self.temperatures(talk) == [21.5, 22.0, 21.5])
  }

  @Test func `a rise over many steps is followed once a second at most`() {
    var talk = Self.door()
    for step in 0..<100 {
      _ = talk.receive("s:1;t:\(10 + step / 2).\(step.isMultiple(of: 2) ? "00" : "50")")
      talk.pass(.milliseconds(100))
    }
    talk.pass(.seconds(2))
    #expect((9...12).contains(Self.temperatures(talk).count))
    #expect(talk.state["temperature"] == 59.5)
  }

  @Test func `wild readings are bounded too, and the last of them arrives`() {
    var talk = Self.door()
    for _ in 0..<600 {
      _ = talk.receive("s:1;t:\(Int.random(in: -20...60)).00")
      talk.pass(.milliseconds(100))
    }
    #expect(Self.temperatures(talk).count <= 61)
    _ = talk.receive("s:1;t:7.00")
    talk.pass(.seconds(10))
    #expect(talk.state["temperature"] == 7.0)
  }

  @Test func `a fault of the sensor makes the temperature unknown, not 85 degrees`() {
    var talk = Self.door()
    _ = talk.receive("s:1;t:85.00")
    #expect(talk.state["temperature"] == .unknown)
    #expect(talk.state["latch"] == true)
    _ = talk.receive("s:1;t:21.50")
    talk.pass(.seconds(1))
    #expect(talk.state["temperature"] == 21.5)
    talk.pass(.seconds(1))
    _ = talk.receive("s:1;t:-127.00")
    #expect(talk.state["temperature"] == .unknown)
  }

  @Test func `any bytes, commands and events in any order keep the rules`() {
    let inputs = RandomInputs(
      properties: PetDoorProperty.description.properties,
      phrases: ["m:0", "m:1", "s:1;t:21.50", "s:0;t:22.00", "s:0;t:-10.50\n", "s:1;t:85.00", "s:1;t:"]
        .map { Array($0.utf8) },
      values: ["LOCK", "UNLOCK", true, false, .unknown, 5, []])
    var invariants = AdapterInvariants()
    for _ in 0..<10 { invariants.check(PetDoor(), with: inputs, rounds: 500) }
    #expect(invariants.handled > 2000)
  }
}
