import DeviceModel
import JSON
import Testing

@testable import Adapters

/// OwnTracks may leave the name of a region out; then its identifier tells which it is.
struct `Identifiers of a phone's regions` {
  private static func transition(_ event: String, _ identifier: String, named: String? = nil, at: Int)
    -> Value
  {
    var members: Value.Members = ["_type": "transition", "event": .text(event), "tst": .integer(at)]
    members["rid"] = .text(identifier)
    members["desc"] = named.map { .text($0) }
    return .object(members)
  }

  private static func logs(_ outputs: [Output]) -> [String] {
    outputs.compactMap { if case .log(_, let text) = $0 { text } else { nil } }
  }

  /// The home was made anew on the phone again and again.
  private static func makeHomeAnew(_ times: ClosedRange<Int>, _ garage: inout GarageTalk) -> [Output] {
    times.flatMap { number in
      garage.message(outputs: transition("leave", "home-\(number)", named: "Home", at: garage.now))
    }
  }

  @Test func `of the ninth the phone is known by as well, and that the oldest is forgotten is said once`()
    throws
  {
    var garage = try GarageTalk()
    #expect(Self.logs(Self.makeHomeAnew(1...8, &garage)).isEmpty)
    let outputs = Self.makeHomeAnew(9...12, &garage)
    let told = Self.logs(outputs)
    #expect(told.count == 1 && told.first?.contains("more than 8 identifiers") == true)
    garage.presence("enter")
    garage.pass(120)
    #expect(!garage.isArmed())
    garage.message(Self.transition("leave", "home-12", at: garage.now))
    #expect(garage.isArmed(), "the newest is known without its name")
    garage.presence("enter")
    garage.pass(120)
    garage.message(Self.transition("leave", "home-4", at: garage.now))
    #expect(!garage.isArmed(), "the oldest is forgotten")
  }

  @Test func `in use outlast those that are not, and a restart`() throws {
    var garage = try GarageTalk()
    _ = garage.message(outputs: Self.transition("leave", "beacon", named: "Garage", at: garage.now))
    for number in 1...20 {
      garage.pass(1)
      _ = Self.makeHomeAnew(number...number, &garage)
      _ = garage.message(outputs: Self.transition("leave", "beacon", named: "Garage", at: garage.now))
    }
    try garage.restart()
    garage.pass(60)
    #expect(garage.isArmed())
    garage.message(Self.transition("enter", "beacon", at: garage.now))
    #expect(garage.pulses.count == 1)
  }

  @Test func `that are told again and again are not written to disk each time`() throws {
    var garage = try GarageTalk()
    _ = Self.makeHomeAnew(1...3, &garage)
    garage.pass(1)
    let outputs = (0..<50).flatMap { _ in
      garage.message(
        outputs: Self.transition("leave", "beacon-of-another", named: "Elsewhere", at: garage.now))
    }
    #expect(!outputs.contains { if case .remember = $0 { true } else { false } })
  }
}

extension GarageTalk {
  fileprivate mutating func message(outputs value: Value) -> [Output] {
    let payload = Array(JSON.text(of: value).utf8)
    return feed(.message(OutsideMessage("anna", topic: "owntracks/anna/phone/event", payload: payload)))
  }
}
