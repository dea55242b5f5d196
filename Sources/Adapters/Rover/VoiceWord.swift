/// The ten words by which a rover is driven.
enum VoiceWord: Hashable, Sendable {
  case right, left, center, stop
  case drive(RoverDirection, Speed)

  enum Speed: Hashable, Sendable { case slow, plain, fast }

  static let all: [(word: String, meaning: VoiceWord)] = [
    ("RIGHT", .right), ("LEFT", .left), ("CENTER", .center),
    ("FORWARD", .drive(.forward, .plain)), ("SLOW FORWARD", .drive(.forward, .slow)),
    ("FAST FORWARD", .drive(.forward, .fast)),
    ("BACKWARD", .drive(.backward, .plain)), ("SLOW BACKWARD", .drive(.backward, .slow)),
    ("FAST BACKWARD", .drive(.backward, .fast)),
    ("STOP", .stop),
  ]

  /// Case and spaces count for nothing.
  init?(_ text: String) {
    let letters = Self.letters(text)
    guard let found = Self.all.first(where: { Self.letters($0.word) == letters }) else { return nil }
    self = found.meaning
  }

  var text: String { Self.all.first { $0.meaning == self }?.word ?? "" }

  private static func letters(_ text: String) -> String {
    String(text.uppercased().filter { !$0.isWhitespace && $0 != "_" && $0 != "-" })
  }
}
