import DeviceModel

@testable import Bridge

extension Subject {
  private static let description = DeviceDescription(properties: [
    Property("power", name: nil, .switch(), verbs: [.set]),
    Property("mode", name: "Mode", .select(["automatic", "manual"]), verbs: [.set]),
    Property("level", name: "Level", .number(.init(0...100)), verbs: [.set]),
    Property("label", name: "Label", .text(maximumLength: 5), verbs: [.set]),
    Property("schedule", name: "Schedule", .structured, verbs: [.set, .put, .delete]),
    Property("latch", name: "Latch", .lock, verbs: [.set]),
    Property("go", name: "Go", .button(), verbs: [.set]),
    Property("temperature", name: "Temperature", .sensor()),
  ])

  /// A command is one that the description allows; a refusal is short.
  static let commands = Subject("commands") { input throws(Violation) in
    guard let id = Slug(of: "plug").flatMap(DeviceID.init) else { return }
    let reader = CommandReader(device: id, description: description) { $0 == "power" ? true : .unknown }
    var choices = Choices(input)
    let verb = Property.Verb.allCases[choices.number(below: Property.Verb.allCases.count)]
    let number = choices.number(below: description.properties.count + 2)
    let payload = Array(input.dropFirst(2))
    var commands: [Command] = []
    do throws(CommandReader.Refusal) {
      switch number {
      case description.properties.count: commands = try reader.set(payload)
      case description.properties.count + 1:
        commands = try reader.property(String(decoding: payload, as: UTF8.self), verb, [])
      default: commands = try reader.property(description.properties[number].key.text, verb, payload)
      }
    } catch {
      let words = error.rejection.explanation
      try require(words.utf8.count <= 1000, "\(words.utf8.count) bytes of words")
      let isFit = words.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) }
      try require(isFit, "a control character in: \(words)")
    }
    for command in commands { try check(command) }
  }

  private static func check(_ command: Command) throws(Violation) {
    guard let property = description.properties.first(where: { $0.key == command.property }) else {
      throw Violation("\(command.property) is not described")
    }
    try require(property.verbs.contains(command.verb), "\(property.key) takes no \(command.verb)")
    switch (property.kind, command.value) {
    case (.number(let range, _), .number(let number)):
      try require((range.minimum...range.maximum).contains(number), "\(property.key) is \(number)")
    case (.switch, .boolean), (.select, .text), (.lock, .text), (.button, .unknown), (.structured, _): break
    case (.text(let longest, _), .text(let text)):
      try require(text.count <= longest, "\(property.key) has \(text.count) characters")
    default: throw Violation("\(property.key) is \(command.value)")
    }
  }
}
