import DeviceModel
import Testing

@testable import Adapters

/// What is known of a PIN under a name when it is not known what became of a change, or by what it was marked.
struct `PINs under names` {
  private static func table(_ pins: [Int: String]) -> [UInt8] {
    pins.sorted { $0.key < $1.key }.flatMap { [UInt8($0.key)] + Array($0.value.utf8) } + [0xFF]
  }

  /// Asks, and tells what stands in the board whenever it wants to know.
  private static func ask(
    _ request: String, _ parameters: Value.Members, _ pins: [Int: String], _ garage: inout GarageTalk
  ) -> Result<Value, Rejection>? {
    if !garage.talk.isUp { garage.connect() }
    _ = garage.request("garage/pin/\(request)", parameters)
    garage.feed(.received(.board, table(pins)))
    return garage.answers.last?.result
  }

  /// Carl's PIN stands in place 3.
  private func withCarl() throws -> GarageTalk {
    var garage = try GarageTalk()
    _ = Self.ask("add", ["name": "Carl", "pin": "77777"], [:], &garage)
    garage.pass(0.5)
    garage.feed(.received(.board, Self.table([3: "77777"])))
    garage.pass(2)
    return garage
  }

  @Test(arguments: ["77777", "88888"], [false, true])
  func `are the old one or the new one after a change that nobody knows of`(
    pin: String, isRestarted: Bool
  ) throws {
    var garage = try withCarl()
    _ = Self.ask("change", ["name": "Carl", "pin": "88888"], [3: "77777"], &garage)
    #expect(garage.sent.last == "90909E\u{3}88888")
    garage.disconnect("lost")
    if isRestarted { try garage.restart() }
    _ = Self.ask("delete", ["name": "Carl"], [3: pin], &garage)
    #expect(garage.sent.last == "90909D\u{3}")
  }

  @Test func `are nobody else's all the same`() throws {
    var garage = try withCarl()
    _ = Self.ask("change", ["name": "Carl", "pin": "88888"], [3: "77777"], &garage)
    garage.disconnect("lost")
    let answer = Self.ask("delete", ["name": "Carl"], [3: "99999"], &garage)
    guard case .failure(let rejection)? = answer else { return #expect(Bool(false), "not refused") }
    #expect(rejection.reason == .notNow)
    #expect(garage.sent.last == "90909P")
  }

  @Test func `of a person are found again as well`() throws {
    var garage = try GarageTalk()
    _ = Self.ask("change", ["name": "Anna", "pin": "88888"], [1: GarageTalk.anna], &garage)
    garage.disconnect("lost")
    _ = Self.ask("delete", ["name": "Anna"], [1: "88888"], &garage)
    #expect(garage.sent.last == "90909D\u{1}")
  }

  @Test(
    arguments: [
      ["names": ["Carl": 3]], ["names": ["Carl": ["place": 3, "mark": "0000"]], "marked_by": "another"],
      ["names": ["Carl": ["place": 3, "mark": "0000"]]],
    ] as [Value])
  func `that were marked by another key, or not at all, are marked at the first look`(memory: Value) throws {
    var garage = try GarageTalk(remembering: memory)
    _ = Self.ask("list", [:], [3: "77777"], &garage)
    let kept = try #require(GarageMemory(garage.memory))
    let mark = try NamedPIN.mark(
      of: try #require(GaragePIN("77777")), at: 3, master: try #require(GaragePIN(GarageTalk.master)))
    #expect(kept.names == ["Carl": NamedPIN(place: 3, mark: mark)])
    #expect(kept.keyMark?.utf8.count == 2)
    garage.pass(3)
    _ = Self.ask("delete", ["name": "Carl"], [3: "99999"], &garage)
    #expect(garage.sent.last == "90909P", "another one from now on")
  }
}
