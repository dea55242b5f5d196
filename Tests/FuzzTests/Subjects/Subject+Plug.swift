@testable import Adapters

extension Subject {
  /// All bytes are accounted for, what is held back is bounded, and an activation reads back as it was written.
  static let plug = Subject("plug") { input throws(Violation) in
    var choices = Choices(input)
    let slots = [nil, nil, 1, 3, 255][choices.number(below: 5)]
    var decoder = PlugDecoder(slots: slots)
    var frames: [PlugFrame] = []
    for (index, piece) in Pieces(Array(input.dropFirst())).parts.enumerated() {
      decoder.receive(piece, into: &frames)
      guard index % 5 == 4 else { continue }
      decoder.settle(into: &frames)
      decoder.expectTable()
    }
    let fed = max(0, input.count - 2)
    let told = frames.reduce(0) { $0 + size(of: $1) }
    try require(
      (0...PlugSlot.most * Activation.size + 30).contains(fed - told), "\(told) of \(fed) bytes are told")
    decoder.settle(into: &frames)
    for case .table(let bytes) in frames {
      try require(
        bytes.count.isMultiple(of: Activation.size) && !bytes.isEmpty, "a table of \(bytes.count) bytes")
      for start in stride(from: 0, to: bytes.count, by: Activation.size) {
        let slot = bytes[start..<start + Activation.size]
        guard let activation = (try? Activation.decode(slot)) ?? nil else { continue }
        let again = (try? Activation.decode(activation.encoded)) ?? nil
        try require(again == activation, "\(activation) reads back as \(again as Any)")
      }
    }
  }

  private static func size(of frame: PlugFrame) -> Int {
    switch frame {
    case .status: 3
    case .table(let bytes): 1 + bytes.count
    case .brokenTable(let count, _), .noise(let count), .excess(let count): count
    }
  }
}
