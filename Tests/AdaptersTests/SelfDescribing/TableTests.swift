import DeviceModel
import Testing

@testable import Adapters

/// A board with one table of three rows.
struct `A self-describing board's table` {
  private let eggs: Value = ["name": "eggs", "minutes": 6]
  private let tea: Value = ["name": "tea", "minutes": 3]

  private func talk() throws -> Conversation {
    var talk = Conversation(SelfDescribing())
    _ = talk.connect()
    let description = Array("d0|jtimers|Timers|n3|l40".utf8)
    let token = LineForm.Token(
      hello: Array("h1|00000000||64|1|Kitchen".utf8), descriptions: [description])
    for line in ["h1|\(token)||64|1|Kitchen", "d0|jtimers|Timers|n3|l40", "g\(token)"] {
      _ = talk.receive(LineForm.framed(Array(line.utf8)))
    }
    return talk
  }

  private func tell(_ lines: [String], to talk: inout Conversation) -> [Output] {
    talk.receive(lines.flatMap { LineForm.framed(Array($0.utf8)) })
  }

  @Test func `it is known once each of its places was told, and changes row by row`() throws {
    var talk = try talk()
    #expect(talk.adapter.description.properties.first?.kind == .structured)
    _ = tell([#"v0=0:{"name":"eggs","minutes":6}"#, "v0=1:null"], to: &talk)
    #expect(talk.state["timers"] == .unknown)
    _ = tell([#"v0=2:{"name":"tea","minutes":3}"#], to: &talk)
    #expect(talk.state["timers"] == .list([eggs, tea]))
    _ = tell(["v0=0:null"], to: &talk)
    #expect(talk.state["timers"] == .list([tea]))
    _ = tell(["v0=?"], to: &talk)
    #expect(talk.state["timers"] == .unknown)
    #expect(tell(["v0=3:null"], to: &talk).logs.count == 1)
  }

  @Test func `rows are put and deleted by name`() throws {
    var talk = try talk()
    let put = talk.command(1, Command("timers", verb: .put, eggs))
    #expect(put.lines == [#"C00=p{"name":"eggs","minutes":6}"#])
    _ = tell(["a0+"], to: &talk)
    #expect(talk.command(2, Command("timers", verb: .delete, "a\"b")).lines == [#"C10=d"a\5c"b""#])
    #expect(tell(["a1-f"], to: &talk).reasons == [.full])
  }

  @Test func `it is replaced by what differs, and not before it is known`() throws {
    var talk = try talk()
    let wanted: Value = [["name": "soup", "minutes": 20], tea]
    #expect(talk.command(1, Command("timers", wanted)).reasons == [.notNow])
    _ = tell(
      [#"v0=0:{"name":"eggs","minutes":6}"#, "v0=1:null", #"v0=2:{"minutes":3,"name":"tea"}"#], to: &talk)
    #expect(talk.command(2, Command("timers", wanted)).lines == [#"C00=d"eggs""#])
    #expect(tell(["a0+"], to: &talk).lines == [#"C10=p{"name":"soup","minutes":20}"#])
    #expect(tell(["a1+"], to: &talk).lines.isEmpty)
    _ = talk.command(3, Command("timers", .list([])))
    #expect(tell(["a2-n"], to: &talk).reasons == [.notNow])
    #expect(talk.pass(.seconds(10)).lines.isEmpty)
  }

  struct Wrong: Sendable {
    var verb: Property.Verb
    var value: Value
    var reason: Rejection.Reason

    init(_ verb: Property.Verb, _ value: Value, _ reason: Rejection.Reason) {
      self.verb = verb
      self.value = value
      self.reason = reason
    }

    static let all = [
      Wrong(.put, "eggs", .invalid), Wrong(.put, ["minutes": 6], .invalid),
      Wrong(.put, ["name": ""], .invalid),
      Wrong(.put, ["name": "x", "list": [1]], .invalid), Wrong(.put, ["name": "a\nb"], .invalid),
      Wrong(.put, ["name": "x", "note": "012345678901234567890123456789"], .outOfRange),
      Wrong(.put, ["name": #"\\\\\\\\\\\\\\"#], .tooLarge), Wrong(.delete, "", .invalid),
      Wrong(.delete, ["name": "x", "minutes": 1], .invalid), Wrong(.set, "eggs", .invalid),
      Wrong(.set, [["name": "x"], ["name": "x"]], .invalid),
      Wrong(.set, [["name": "a"], ["name": "b"], ["name": "c"], ["name": "d"]], .full),
    ]
  }

  @Test(arguments: Wrong.all)
  func `what is no row of it is refused and not sent`(wrong: Wrong) throws {
    var talk = try talk()
    _ = tell(["v0=0:null", "v0=1:null", "v0=2:null"], to: &talk)
    let outputs = talk.command(1, Command("timers", verb: wrong.verb, wrong.value))
    #expect(outputs.reasons == [wrong.reason])
    #expect(outputs.sent.isEmpty)
  }
}
