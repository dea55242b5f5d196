import DeviceModel
import Testing

@testable import Adapters

struct `The language of profiles` {
  @Test func `messages are read as their vectors say`() throws {
    for vector in try Vectors.load("profile-messages.json") {
      let why = Comment(rawValue: vector.text("why") ?? "")
      var talk = try ProfileText.talk(try #require(vector.text("profile")))
      var outputs: [Output] = []
      for case .text(let text) in vector.list("received") ?? [] { outputs += talk.receive(text) }
      for case .text(let hex) in vector.list("hex") ?? [] { outputs += talk.receive(try [UInt8](hex: hex)) }
      if let seconds = vector.integer("wait") { outputs += talk.pass(.seconds(seconds)) }
      let state = talk.state.map { ($0.key.text, $0.value) }.sorted { $0.0 < $1.0 }
      let expected = try #require(vector.members("state")).pairs.sorted { $0.name < $1.name }
      #expect(state.map(\.0) == expected.map(\.name), why)
      #expect(
        Value.list(state.map { Self.withDoubles($0.1) })
          == .list(expected.map { Self.withDoubles($0.value) }), why)
      #expect(outputs.undecodableBytes == vector.integer("undecodable") ?? 0, why)
      let events = outputs.compactMap { output -> Value? in
        if case .event(let type, let facts) = output { [.text(type), .object(facts)] } else { nil }
      }
      #expect(events == vector.list("events") ?? [], why)
    }
  }

  @Test func `commands are sent as their vectors say`() throws {
    for vector in try Vectors.load("profile-commands.json") {
      let why = Comment(rawValue: vector.text("why") ?? "")
      var talk = try ProfileText.talk(try #require(vector.text("profile")))
      var outputs: [Output] = []
      for (index, value) in try #require(vector.list("commands")).enumerated() {
        guard case .object(let members) = value else { continue }
        let commands = try members.pairs.map { name, value in
          let parts = name.split(separator: "/")
          let key = try #require(PropertyKey(parts[0]))
          let property = try #require(talk.adapter.description[key])
          let verb = parts.count == 2 ? try #require(Property.Verb(rawValue: String(parts[1]))) : .set
          return Command(key, verb: verb, try property.value(from: value, present: .unknown))
        }
        outputs += talk.feed(.commands(CommandBatch(number: UInt64(index), commands)))
        for case .send(let send) in outputs { if let number = send.number { talk.feed(.sent(number)) } }
      }
      if let reason = vector.text("reason") {
        #expect(outputs.reasons.map(\.rawValue) == [reason], why)
        #expect(outputs.sent.isEmpty, why)
        if let words = vector.text("says") {
          #expect(outputs.rejections.first?.rejection.explanation.contains(words) == true, why)
        }
      } else {
        #expect(outputs.reasons == [], why)
        let sent = vector.list("sent")?.map { value -> String in
          if case .text(let text) = value { Array(text.utf8).hex } else { "" }
        }
        let hex = vector.list("hex")?.map { value in if case .text(let text) = value { text } else { "" } }
        #expect(outputs.sent.map(\.hex) == sent ?? hex, why)
      }
    }
  }

  @Test func `a mistake is told with file, line, column, key and what was expected`() throws {
    for vector in try Vectors.load("profile-mistakes.json") {
      let lines = ProfileText.problems(try #require(vector.text("profile")))
      let error = try #require(vector.text("error"))
      #expect(lines.contains { $0.contains(error) }, "\(vector.text("why") ?? ""): \(lines)")
      #expect(lines.allSatisfy { $0.hasPrefix("board.yaml:") })
    }
  }

  /// A mistake in one place brings no others about.
  @Test func `a mistake is told once`() throws {
    for vector in try Vectors.load("profile-mistakes.json") {
      let lines = ProfileText.problems(try #require(vector.text("profile")))
      #expect(lines.count <= 2, "\(vector.text("why") ?? ""): \(lines)")
    }
  }

  private static func withDoubles(_ value: Value) -> Value {
    switch value {
    case .integer(let integer): .number(Double(integer))
    case .list(let elements): .list(elements.map(withDoubles))
    case .object(let members): .object(.init(members.pairs.map { ($0.name, withDoubles($0.value)) }))
    default: value
    }
  }
}
