import DeviceModel
import Testing

@testable import Adapters

struct `The pet door's vectors` {
  @Test func `notifications are cut into messages as their vector says`() throws {
    for vector in try Vectors.load("pet-door-messages.json") {
      var decoder = PetDoorDecoder()
      var pieces: [PetDoorDecoder.Piece] = []
      for case .text(let hex) in try #require(vector.list("received")) {
        decoder.receive(try [UInt8](hex: hex), into: &pieces)
      }
      #expect(
        Value.list(pieces.map(\.vector)) == vector["messages"].map(Self.withDoubles),
        Comment(rawValue: vector.text("why") ?? ""))
    }
  }

  @Test func `a stream cut at any place is read the same`() throws {
    let stream = Array("m:1\ns:1;t:21.50\ns:0;t:-10.50\r\ns:0;t:85.00\nm:0\n".utf8)
    var whole: [PetDoorDecoder.Piece] = []
    var decoder = PetDoorDecoder()
    decoder.receive(stream, into: &whole)
    try #require(whole.count == 5)
    for first in 0..<stream.count {
      for second in first..<stream.count {
        var decoder = PetDoorDecoder()
        var pieces: [PetDoorDecoder.Piece] = []
        for part in [stream[..<first], stream[first..<second], stream[second...]] {
          decoder.receive(Array(part), into: &pieces)
        }
        if pieces != whole { Issue.record("cut at \(first) and \(second): \(pieces)") }
      }
    }
  }

  @Test func `random bytes are garbage or messages, and little is held back`() {
    let letters = Array("sm:;t01.-\n".utf8)
    for _ in 0..<500 {
      var decoder = PetDoorDecoder()
      var pieces: [PetDoorDecoder.Piece] = []
      for _ in 0..<20 {
        let size = Int.random(in: 0...20)
        decoder.receive(
          (0..<size).map { _ in
            Int.random(in: 0..<5) > 0 ? letters.randomElement() ?? 0 : UInt8.random(in: 0...255)
          }, into: &pieces)
      }
      // Whatever is held back is the beginning of one message.
      let count = pieces.count
      decoder.receive([0xFF], into: &pieces)
      #expect(pieces.count == count + 1)
      guard case .garbage(let bytes)? = pieces.last else {
        Issue.record("a message out of FF")
        continue
      }
      #expect((1...13).contains(bytes))
    }
  }

  /// JSON has one kind of number, and 21 is a temperature like 21.5.
  private static func withDoubles(_ value: Value) -> Value {
    switch value {
    case .integer(let integer): .number(Double(integer))
    case .list(let elements): .list(elements.map(withDoubles))
    case .object(let members):
      .object(.init(members.pairs.map { ($0.name, $0.name == "garbage" ? $0.value : withDoubles($0.value)) }))
    default: value
    }
  }
}

extension PetDoorDecoder.Piece {
  /// As vectors write one.
  fileprivate var vector: Value {
    switch self {
    case .garbage(let count): ["garbage": .integer(count)]
    case .message(.manualLock(let isOn)): ["manual_lock": .boolean(isOn)]
    case .message(.status(let isOpen, .known(let hundredths))):
      ["open": .boolean(isOpen), "temperature": .number(Double(hundredths) / 100)]
    case .message(.status(let isOpen, .fault)): ["open": .boolean(isOpen), "temperature": .unknown]
    }
  }
}
