import DeviceModel
import Testing

@testable import Adapters

struct `The line form's vectors` {
  @Test func `checksums and tokens are as their vector says`() throws {
    for vector in try LineFormVectors.load("checksums") {
      let bytes = try vector.bytes("hex")
      #expect(String(decoding: LineForm.Checksum.digits(of: bytes), as: UTF8.self) == vector.text("line"))
      var sum = CyclicSum()
      for byte in bytes { sum.take(byte) }
      #expect("\(LineForm.Token(sum.result))" == vector.text("token"))
    }
  }

  @Test func `lines are found in a stream as their vector says, however it is cut`() throws {
    for vector in try LineFormVectors.load("framing") {
      let stream = try vector.bytes("hex")
      let expected = try #require(vector.list("results")).map { result -> LineForm.Reader.Piece in
        guard case .object(let fields) = result else { throw Vectors.NotVectors(name: "results") }
        if let error = fields.text("error") {
          let fault = LineForm.Reader.Fault.allCases.first { $0.vector == error }
          return .dropped(bytes: 0, try #require(fault, "\(error)"))
        }
        return .line(try fields.body())
      }
      for size in [1, 2, 3, 20, max(stream.count, 1)] {
        var reader = LineForm.Reader(limit: try #require(vector.integer("limit")))
        var pieces: [LineForm.Reader.Piece] = []
        for start in stride(from: 0, to: stream.count, by: size) {
          reader.receive(stream[start..<min(start + size, stream.count)], into: &pieces)
        }
        var outside: [UInt8] = []
        let found = pieces.compactMap { piece -> LineForm.Reader.Piece? in
          switch piece {
          case .line: return piece
          case .dropped(_, let fault): return .dropped(bytes: 0, fault)
          case .outside(let bytes):
            outside += bytes
            return nil
          }
        }
        #expect(found == expected, vector.why)
        #expect(outside.hex == vector.text("outside"), vector.why)
      }
    }
  }

  @Test func `what a board says is read as its vector says`() throws {
    var errors = 0
    for vector in try LineFormVectors.load("from_board") {
      let body = try vector.body()
      do throws(LineForm.Malformation) {
        let line = try LineForm.BoardLine(body)
        let fields = vector["fields"] ?? .unknown
        #expect(Value.object(line.vector).comparable == fields.comparable, vector.why)
      } catch {
        errors += 1
        #expect(error.vector == vector.text("error"), vector.why)
        #expect(!"\(error)".isEmpty)
      }
    }
    #expect(errors > 20)
  }

  @Test func `what the bridge says is written as its vector says`() throws {
    for vector in try LineFormVectors.load("to_board") {
      let line = try LineForm.BridgeLine(try #require(vector.members("fields")))
      #expect(line.body == (try vector.body()), vector.why)
      #expect(line.bytes.hex == vector.text("hex"), vector.why)
    }
  }

  @Test func `a token stands for a hello and its descriptions`() throws {
    for vector in try LineFormVectors.load("tokens") {
      let hello = Array(try #require(vector.text("hello")).utf8)
      let bodies = try #require(vector.list("descriptions")).compactMap { value -> [UInt8]? in
        guard case .text(let text) = value else { return nil }
        return Array(text.utf8)
      }
      let token = LineForm.Token(hello: hello, descriptions: bodies)
      #expect("\(token)" == vector.text("token"), vector.why)
      guard case .hello(let parsed) = try LineForm.BoardLine(hello) else {
        Issue.record("no hello")
        continue
      }
      #expect(parsed.token == token)
      #expect(parsed.count == bodies.count)
      var others = bodies
      if !others.isEmpty {
        others[0].append(UInt8(ascii: "!"))
        #expect(LineForm.Token(hello: hello, descriptions: others) != token)
      }
    }
  }

  @Test func `numbers are written without rounding surprises`() {
    for (number, decimals, text) in [
      (0.1 + 0.2, 1, "0.3"), (-0.04, 1, "0"), (-0.05, 1, "-0.1"), (99.95, 1, "100"),
      (1e12, 0, "1000000000000"),
      (1.000001, 6, "1.000001"), (-12.5, 3, "-12.5"), (7, 2, "7"), (1e300, 2, "9999999999"),
    ] {
      #expect(LineForm.text(of: number, decimals: decimals) == text)
    }
  }
}
