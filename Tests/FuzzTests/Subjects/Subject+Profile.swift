import DeviceModel

@testable import Adapters
@testable import Configuration

extension Subject {
  /// A profile up to the first NUL, and what the board says behind it: a plan or a problem; nothing is counted twice,
  /// and only what is described is reported.
  static let profile = Subject("profile") { input throws(Violation) in
    let parts = input.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
    var text = Array(parts[0])
    // What follows might name a file of this machine.
    for index in text.indices where text[index...].starts(with: "!file".utf8) {
      text[index + 1] = UInt8(ascii: "F")
    }
    var (value, problems) = YAMLReader.read(
      text, file: "fuzz.yaml", secrets: SecretSource(environment: { _ in nil }))
    guard let value else { return }
    let options = Profile.schema.check(value, path: "", problems: &problems)
    // Whatever is wrong with the keys, what is right of them makes no crash.
    let profile = Profile(options, problems: &problems)
    for problem in problems {
      let words = problem.description
      let isFit = words.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
      try require(isFit, "a control character in: \(words)")
    }
    guard var adapter = profile else {
      return try require(!problems.isEmpty, "neither a profile nor a problem")
    }
    let board = Pieces(parts.count == 2 ? Array(parts[1]) : [])
    let keys = Set(adapter.description.properties.map(\.key))
    var now = Moment(uptime: .zero, wall: Timestamp(seconds: 1_796_000_000))
    var outputs: [Output] = []
    adapter.handle(.linkUp(.board, maximumPacket: 20), at: now, into: &outputs)
    for part in board.parts {
      now = now.advanced(by: .milliseconds(100))
      adapter.handle(.received(.board, part), at: now, into: &outputs)
    }
    now = now.advanced(by: .seconds(3600))
    adapter.handle(.timerFired("frame"), at: now, into: &outputs)
    for property in adapter.description.properties {
      let command = Command(property.key, property.isSettable ? .number(1) : .unknown)
      adapter.handle(.commands(CommandBatch(number: 1, [command])), at: now, into: &outputs)
    }
    adapter.handle(.linkDown(.board, "gone"), at: now, into: &outputs)
    var undecodable = 0
    for output in outputs {
      switch output {
      case .report(let key, _): try require(keys.contains(key), "\(key) is reported and not described")
      case .setTimer(let name, let delay): try require(delay >= .zero, "timer \(name) is set into the past")
      case .undecodable(let count, let why):
        undecodable += count
        let isFit = why.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
        try require(isFit, "a control character in: \(why)")
      default: break
      }
    }
    try require(undecodable <= board.whole.count, "\(undecodable) of \(board.whole.count) bytes passed over")
  }

  /// A regular expression up to the first NUL, and a text behind it: parts that are in the text.
  static let pattern = Subject("pattern") { input throws(Violation) in
    let parts = input.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
    let pattern: Pattern
    do throws(PatternError) {
      pattern = try Pattern(String(decoding: parts[0], as: UTF8.self))
    } catch {
      return try require(error.place <= parts[0].count + 1, "a mistake at \(error.place)")
    }
    let text = LenientText.scalars(of: parts.count == 2 ? parts[1].prefix(300) : [])
    let found = pattern.match(text)
    for case let part? in found ?? [] {
      try require(part.lowerBound >= 0 && part.upperBound <= text.count, "\(part) of \(text.count)")
    }
    switch pattern.reach(in: text, from: 0) {
    case .match(let length, _): try require(length <= text.count, "\(length) of \(text.count)")
    case .beginning, .none: try require(found == nil, "a match that reaches nowhere")
    }
  }
}
