@testable import Adapters

extension Subject {
  /// No more is made of bytes than there are, little is held back, and a message written again means the same.
  static let petDoor = Subject("pet-door") { input throws(Violation) in
    var decoder = PetDoorDecoder()
    var pieces: [PetDoorDecoder.Piece] = []
    let stream = Pieces(input)
    for part in stream.parts { decoder.receive(part, into: &pieces) }
    var told = 0
    for piece in pieces {
      switch piece {
      case .garbage(let bytes):
        try require(bytes > 0, "garbage of \(bytes) bytes")
        told += bytes
      case .message(let message):
        let text = written(message)
        told += 3
        var fresh = PetDoorDecoder()
        var again: [PetDoorDecoder.Piece] = []
        fresh.receive(Array(text.utf8), into: &again)
        try require(again == [piece], "\(text) reads as \(again)")
      }
    }
    try require(told <= stream.whole.count, "\(told) of \(stream.whole.count) bytes are told")
    // The longest beginning of a message is all that may come out later.
    var later: [PetDoorDecoder.Piece] = []
    decoder.receive([0], into: &later)
    for case .garbage(let bytes) in later { try require(bytes <= 14, "\(bytes) bytes were held back") }
  }

  private static func written(_ message: PetDoorMessage) -> String {
    func status(_ isOpen: Bool, _ hundredths: Int) -> String {
      let size = hundredths.magnitude
      let tail = "\(size % 100 / 10)\(size % 10)"
      return "s:\(isOpen ? 1 : 0);t:\(hundredths < 0 ? "-" : "")\(size / 100).\(tail)"
    }
    return switch message {
    case .manualLock(let isOn): "m:\(isOn ? 1 : 0)"
    case .status(let isOpen, .known(let hundredths)): status(isOpen, hundredths)
    case .status(let isOpen, .fault): status(isOpen, 8500)
    }
  }
}
