/// A decoder, and what must hold whatever bytes it is given.
struct Subject: Sendable {
  /// Also the folder of its corpus.
  let name: String
  let check: @Sendable ([UInt8]) throws(Violation) -> Void

  init(_ name: String, check: @escaping @Sendable ([UInt8]) throws(Violation) -> Void) {
    self.name = name
    self.check = check
  }

  /// Those that need nothing of the program itself.
  static let all: [Subject] = [
    plug, petDoor, rover, drone, lineForm, lines, profile, pattern, adapters, json, yaml, busMessage,
    busValue,
    topics, commands, words, memory, garage, beacons, attributes,
  ]
}
