import DeviceModel
import Testing

@testable import Adapters

struct `What a plug remembers of its board` {
  private func memories(_ outputs: [Output]) -> [Value] {
    outputs.compactMap { if case .remember(let value) = $0 { value } else { nil } }
  }

  @Test func `is how many slots it has, when two tables agree`() {
    var plug = PlugTalk(slots: 12)
    #expect(memories(plug.session()).isEmpty)
    #expect(memories(plug.session()) == [["slots": 12]])
    #expect(memories(plug.session()).isEmpty)
  }

  @Test func `lets the first table after a restart end by its count`() throws {
    var talk = Conversation(PowerPlug())
    _ = talk.feed(.remembered(["slots": 2]))
    _ = talk.connect()
    let asked = talk.receive("S\u{0}\u{0}") + talk.pass(.seconds(2))
    #expect(asked.sent.contains(Array("A".utf8)))
    let outputs = talk.receive([0x41] + Array(repeating: 0, count: 2 * 29))
    #expect(outputs.isFinished)
  }

  @Test func `is what S 0 does`() {
    var plug = PlugTalk()
    plug.offIsAutomatic = true
    plug.isManual = true
    plug.isOn = true
    plug.session()
    let outputs = plug.sessions(CommandBatch(number: 1, [Command("power", .boolean(false))]))
    let kept = memories(outputs + plug.session())
    #expect(
      kept.contains {
        if case .object(let members) = $0 { members["off_by_hand"] == "returns_to_automatic" } else { false }
      })
  }

  @Test(
    arguments: [
      .unknown, 7, "x", [], ["slots": 0], ["slots": 256], ["slots": "many"], ["off_by_hand": "never"],
      ["off_by_hand": 1, "other": [1]],
    ] as [Value])
  func `of another form is passed over`(value: Value) {
    #expect(PlugFacts(value) == PlugFacts())
  }

  @Test func `comes back as it was`() {
    for facts in [
      PlugFacts(), PlugFacts(slots: 255), PlugFacts(slots: 1, offByHand: .exists),
      PlugFacts(offByHand: .returnsToAutomatic),
    ] {
      #expect(PlugFacts(facts.value) == facts)
    }
  }
}
