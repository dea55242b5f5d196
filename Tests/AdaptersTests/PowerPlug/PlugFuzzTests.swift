import DeviceModel
import Testing

@testable import Adapters

struct `The power plug under random inputs` {
  @Test func `any bytes, commands and events in any order keep the rules`() {
    let activation = Activation.daily(start: "2026-11-30T06:00:00Z", period: 1440)
    let table = [activation, .daily("B", start: "2026-12-01T06:00:00Z"), nil]
    let bytes = table.flatMap { $0?.encoded ?? Array(repeating: 0, count: 29) }
    let inputs = RandomInputs(
      properties: PlugProperty.description.properties,
      phrases: [
        [0x53, 0, 0], [0x53, 1, 1], [0x53, 0, 1], [0x41] + bytes, [0x53, 1, 0, 0x41] + bytes, bytes, [0x41],
        [0x41] + bytes + bytes,
      ],
      values: [
        true, false, "automatic", "manual", .list([activation.command]), [], activation.command, "Morning",
        "B", .unknown, 5, ["name": "B"],
      ])
    var invariants = AdapterInvariants()
    for slots in [nil, nil, 3, 255] {
      for _ in 0..<6 { invariants.check(PowerPlug(slots: slots), with: inputs, rounds: 300) }
    }
    #expect(invariants.handled > 3000)
  }

  @Test func `any bytes in any pieces: what is held back is bounded, and all bytes are accounted for`() {
    for _ in 0..<60 {
      var decoder = PlugDecoder()
      var frames: [PlugFrame] = []
      var fed = 0
      for _ in 0..<60 {
        let letters: [UInt8] = [0x53, 0x41, 0, 1]
        let piece = (0..<Int.random(in: 0...200)).map { _ in
          Int.random(in: 0..<3) == 0 ? letters.randomElement() ?? 0 : UInt8.random(in: 0...255)
        }
        fed += piece.count
        decoder.receive(piece, into: &frames)
        if Bool.random() {
          decoder.settle(into: &frames)
          decoder.expectTable()
        }
      }
      let told = frames.reduce(0) { $0 + $1.size }
      #expect((0...PlugSlot.most * 29 + 30).contains(fed - told))
    }
  }

  @Test func `every activation reads back as it was written`() throws {
    for _ in 0..<500 {
      let name = String(
        String.UnicodeScalarView(
          (0..<Int.random(in: 1...20)).compactMap { _ in Unicode.Scalar(UInt8.random(in: 1...0x7F)) }))
      let activation = Activation(
        name: name, start: .random(in: 0 ... .max), lengthMinutes: .random(in: 0 ... .max),
        periodMinutes: .random(in: 0 ... .max))
      #expect(try Activation.decode(activation.encoded) == activation)
    }
  }
}

extension PlugFrame {
  fileprivate var size: Int {
    switch self {
    case .status: 3
    case .table(let bytes): 1 + bytes.count
    case .brokenTable(let count, _), .noise(let count), .excess(let count): count
    }
  }
}
