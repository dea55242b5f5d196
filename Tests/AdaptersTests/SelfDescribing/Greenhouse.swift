import DeviceModel
import Testing

@testable import Adapters

/// The board of the line form's vectors in talk with a test: says what it is told to say.
struct Greenhouse {
  var talk: Conversation
  let hello: [UInt8]
  let descriptions: [[UInt8]]
  static let token = "fa8d5281"

  init(_ adapter: any Adapter = SelfDescribing(mayAsk: false)) throws {
    let vectors = try LineFormVectors.load("tokens")
    let board = try #require(vectors.first { $0.text("token") == Self.token })
    hello = Array(try #require(board.text("hello")).utf8)
    descriptions = try #require(board.list("descriptions")).compactMap { value in
      if case .text(let text) = value { Array(text.utf8) } else { nil }
    }
    talk = Conversation(adapter)
  }

  @discardableResult
  mutating func say(_ bodies: String...) -> [Output] {
    talk.receive(bodies.flatMap { LineForm.framed(Array($0.utf8)) })
  }

  @discardableResult
  mutating func say(_ bodies: [[UInt8]]) -> [Output] { talk.receive(bodies.flatMap(LineForm.framed)) }

  /// From the link to the first pong.
  mutating func introduce() {
    _ = talk.connect()
    #expect(say([hello]).lines == ["D"])
    #expect(say(descriptions).lines == ["G\(Self.token)"])
    greet()
  }

  mutating func greet() {
    say("g\(Self.token)", "v0=21.5", "v4=0", "v5=0", "v7=2", #"v9="hi"#, "v11=1", "v12=4", "p7|0|0")
  }
}

extension [Output] {
  /// The bodies of the lines that are sent, put together again.
  var lines: [String] {
    var reader = LineForm.Reader()
    var pieces: [LineForm.Reader.Piece] = []
    reader.receive(sent.joined(), into: &pieces)
    return pieces.map { piece in
      if case .line(let body) = piece { String(decoding: body, as: UTF8.self) } else { "\(piece)" }
    }
  }

  var descriptions: [DeviceDescription] {
    compactMap { if case .describe(let description) = $0 { description } else { nil } }
  }

  var remembered: [Value] { compactMap { if case .remember(let value) = $0 { value } else { nil } } }
  var events: [Output] { filter { if case .event = $0 { true } else { false } } }
  var logs: [String] { compactMap { if case .log(_, let text) = $0 { text } else { nil } } }
  var isAlive: Bool { contains(.alive) }
}
