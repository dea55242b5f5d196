import DeviceModel
import Testing

@testable import Adapters

struct `A uart` {
  private static func uart(_ vector: Value.Members) throws -> Conversation {
    Conversation(
      UART(
        framing: try #require(UART.Framing(rawValue: vector.text("framing") ?? "")),
        encoding: try #require(ByteEncoding(rawValue: vector.text("encoding") ?? ""))))
  }

  private static func published(_ outputs: [Output]) -> [[UInt8]] {
    outputs.compactMap { if case .publish("rx", let bytes) = $0 { bytes } else { nil } }
  }

  @Test func `what is received is published as its vector says`() throws {
    for vector in try Vectors.load("uart-receive.json") {
      let why = Comment(rawValue: vector.text("why") ?? "")
      var talk = try Self.uart(vector)
      var outputs = talk.connect()
      for case .text(let hex) in try #require(vector.list("received")) {
        let new = talk.receive(try [UInt8](hex: hex))
        #expect(new.contains(.alive), why)
        outputs += new
      }
      if vector.isTrue("ended") == true { outputs += talk.disconnect() }
      let texts = Self.published(outputs).map { Value.text(String(decoding: $0, as: UTF8.self)) }
      #expect(.list(texts) == vector["published"], why)
      #expect(outputs.undecodableBytes == vector.integer("undecodable") ?? 0, why)
    }
  }

  @Test func `what is transmitted is sent or refused as its vector says`() throws {
    for vector in try Vectors.load("uart-transmit.json") {
      let why = Comment(rawValue: vector.text("why") ?? "")
      var talk = try Self.uart(vector)
      talk.feed(.linkUp(.board, maximumPacket: vector.integer("maximum_packet")))
      let outputs = talk.feed(.transmit(number: 3, try vector.bytes("payload")))
      if let reason = vector.text("reason") {
        #expect(outputs.sent.isEmpty, why)
        #expect(outputs.rejections.map(\.number) == [3], why)
        #expect(outputs.reasons.first?.rawValue == reason, why)
        let words = try #require(vector.text("says"))
        #expect(outputs.rejections.first?.rejection.explanation.contains(words) == true, why)
      } else {
        #expect(outputs.rejections.isEmpty, why)
        #expect(Value.list(outputs.sent.map { .text($0.hex) }) == vector["sent"], why)
        #expect(outputs.contains { if case .send(let send) = $0 { send.number == 3 } else { false } }, why)
      }
    }
  }

  @Test func `every byte survives each encoding`() throws {
    for encoding in ByteEncoding.allCases {
      for _ in 0..<200 {
        let bytes = (0..<Int.random(in: 0...40)).map { _ in UInt8.random(in: 0...255) }
        #expect(try encoding.decode(encoding.encode(bytes)) == bytes, "\(encoding)")
      }
    }
  }

  @Test func `any stream in any pieces is the same lines, and what is held back is bounded`() {
    for _ in 0..<100 {
      let letters: [UInt8] = [UInt8(ascii: "a"), 0x0A, 0x0D, 0xFF]
      let stream: [UInt8] = (0..<2000).map { _ in letters.randomElement() ?? 0 }
      var whole: [LineFraming.Piece] = []
      var pieces: [LineFraming.Piece] = []
      var framing = LineFraming()
      framing.receive(stream, into: &whole)
      framing.reset()
      var rest = stream[...]
      while !rest.isEmpty {
        let part = rest.prefix(.random(in: 1...300))
        framing.receive(Array(part), into: &pieces)
        rest = rest.dropFirst(part.count)
      }
      #expect(pieces == whole)
    }
  }

  @Test func `what is not sent is refused`() {
    var talk = Conversation(UART())
    _ = talk.connect()
    talk.feed(.transmit(number: 3, [1]))
    #expect(talk.feed(.notSent(3, "no room")).reasons == [.linkError])
    #expect(talk.feed(.transmit(number: 4, Array(repeating: 1, count: 65537))).reasons == [.tooLarge])
    talk.disconnect()
    #expect(talk.feed(.transmit(number: 5, [1])).reasons == [.away])
    #expect(talk.command(6, Command("power", true)).reasons == [.unknownProperty])
  }

  @Test func `a session that is not held ends a second after the last byte`() {
    var talk = Conversation(UART())
    var outputs = talk.connect()
    for _ in 0..<10 {
      outputs += talk.pass(.milliseconds(900))
      outputs += talk.receive("x")
    }
    #expect(!outputs.isFinished)
    talk.feed(.transmit(number: 1, [1]))
    #expect(!talk.pass(.milliseconds(999)).isFinished)
    #expect(talk.pass(.milliseconds(1)).isFinished)
    #expect(talk.pass(.seconds(60)).isEmpty)
  }

  @Test func `any bytes, commands and events in any order keep the rules`() {
    let inputs = RandomInputs(
      properties: [], phrases: [Array("hello\n".utf8), Array("Zm9v".utf8)], values: [true])
    var invariants = AdapterInvariants()
    for framing in UART.Framing.allCases {
      for encoding in ByteEncoding.allCases {
        invariants.check(UART(framing: framing, encoding: encoding), with: inputs, rounds: 500)
      }
    }
    #expect(invariants.handled > 1000)
  }
}
