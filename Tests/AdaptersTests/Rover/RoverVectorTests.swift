import DeviceModel
import Testing

@testable import Adapters

struct `The rover's vectors` {
  @Test func `notifications are cut into messages as their vector says`() throws {
    for vector in try Vectors.load("rover-messages.json") {
      var decoder = RoverDecoder()
      var pieces: [RoverDecoder.Piece] = []
      for case .text(let text) in try #require(vector.list("received")) {
        decoder.receive(Array(text.utf8), into: &pieces)
      }
      #expect(
        Value.list(pieces.map(\.vector)) == vector["messages"], Comment(rawValue: vector.text("why") ?? ""))
    }
  }
}

extension RoverDecoder.Piece {
  /// As vectors write one: two numbers in hundredths, or how many bytes are garbage.
  fileprivate var vector: Value {
    switch self {
    case .garbage(let count): ["garbage": .integer(count)]
    case .tilt(let tilt): [.integer(tilt.across), .integer(tilt.along)]
    }
  }
}
