import DeviceModel
import Foundation
import JSON
import Testing

@testable import Adapters

/// The examples of the line form that the Arduino library and other implementations share.
enum LineFormVectors {
  static func load(_ part: String) throws -> [Value.Members] {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Vectors/line-form.json")
    let value = try JSON.parse(Data(contentsOf: file), limits: .init(size: 1_000_000))
    guard case .object(let parts) = value else { throw Vectors.NotVectors(name: part) }
    let elements = try #require(parts.list(part))
    try #require(!elements.isEmpty)
    return try elements.map {
      guard case .object(let members) = $0 else { throw Vectors.NotVectors(name: part) }
      return members
    }
  }
}

extension Value.Members {
  /// Text as `name`, or bytes as `name_hex`.
  func body(_ name: String = "body") throws -> [UInt8] {
    if let hex = text("\(name)_hex") { return try [UInt8](hex: hex) }
    return Array(try #require(text(name)).utf8)
  }

  var why: Comment { Comment(rawValue: "\(text("why") ?? "") \(text("body") ?? "")") }
}

extension LineForm.Reader.Fault {
  /// The word of the vectors.
  var vector: String { self == .checksum ? "checksum" : rawValue.replacing(" ", with: "_") }
}

extension LineForm.Malformation {
  var vector: String {
    switch self {
    case .version: "version"
    case .unknownLetter: "unknown"
    case .notUTF8: "utf8"
    case .malformed: "malformed"
    }
  }
}

extension LineForm.BoardLine {
  /// The fields of the vectors.
  var vector: Value.Members {
    switch self {
    case .hello(let hello):
      var fields: Value.Members = [
        "type": "hello", "token": .text("\(hello.token)"),
        "identity": hello.identity.map { .text("\($0)") } ?? .unknown,
        "keeps_identity": .boolean(hello.keepsIdentity), "limit": .integer(hello.limit),
        "count": .integer(hello.count), "name": .text(hello.name),
      ]
      fields["version"] = hello.version.map { .text($0) }
      fields["model"] = hello.model.map { .text($0) }
      fields["manufacturer"] = hello.manufacturer.map { .text($0) }
      fields["patience"] = hello.patience.map { .integer(Int($0.components.seconds)) }
      return fields
    case .description(let entity): return entity.vector
    case .greeting(let token): return ["type": "greeting", "token": .text("\(token)")]
    case .value(let index, let value):
      var fields: Value.Members = ["type": "value", "index": .integer(index)]
      switch value {
      case .unknown: fields["unknown"] = true
      case .number(let number): fields["number"] = .number(number)
      case .text(let text): fields["text"] = .text(text)
      case .row(let place, let row):
        fields["row"] = .integer(place)
        fields["object"] = row.map(Value.object) ?? .unknown
      }
      return fields
    case .event(let index, let type):
      return ["type": "event", "index": .integer(index), "option": .integer(type)]
    case .accepted(let sequence):
      return ["type": "answer", "sequence": .text(Self.letter(sequence)), "accepted": true]
    case .refused(let sequence, let refusal, let words):
      var fields: Value.Members = [
        "type": "answer", "sequence": .text(Self.letter(sequence)), "accepted": false,
      ]
      switch refusal {
      case .noSession: fields["reason"] = "no_session"
      case .rejection(let reason): fields["reason"] = .text(reason.rawValue)
      }
      fields["words"] = words.map { .text($0) }
      return fields
    case .pong(let lines, let dropped, let lostEvents):
      return [
        "type": "pong", "lines": .integer(lines), "dropped": .integer(dropped),
        "lost_events": .integer(lostEvents),
      ]
    }
  }

  private static func letter(_ byte: UInt8) -> String { String(UnicodeScalar(byte)) }
}

extension LineForm.Entity {
  var vector: Value.Members {
    var fields: Value.Members = [
      "type": "description", "index": .integer(index), "kind": kind.map { .text($0.vector) } ?? .unknown,
      "key": .text(key), "name": .text(name),
    ]
    fields["unit"] = unit.map { .text($0) }
    fields["device_class"] = deviceClass.map { .text($0) }
    fields["icon"] = icon.map { .text($0) }
    fields["state_class"] = stateClass.map { .text($0.rawValue) }
    if category != .primary { fields["category"] = .text(category.rawValue) }
    fields["decimals"] = decimals.map { .integer($0) }
    fields["longest"] = longest.map { .integer($0) }
    fields["range"] = range.map { .list([.number($0.minimum), .number($0.maximum), .number($0.step)]) }
    fields["rows"] = rows.map { .integer($0) }
    if !options.isEmpty { fields["options"] = .list(options.map { .text($0) }) }
    for (name, isTrue) in [
      ("assumed", isAssumed), ("disabled", isDisabled), ("can_close", canClose), ("can_stop", canStop),
    ] where isTrue {
      fields[name] = true
    }
    return fields
  }
}

extension LineForm.Entity.Kind {
  var vector: String {
    switch self {
    case .sensor: "sensor"
    case .textSensor: "text_sensor"
    case .enumeration: "enumeration"
    case .timestamp: "timestamp"
    case .binarySensor: "binary_sensor"
    case .switch: "switch"
    case .number: "number"
    case .select: "select"
    case .button: "button"
    case .text: "text"
    case .table: "table"
    case .event: "event"
    case .lock: "lock"
    case .cover: "cover"
    }
  }
}

extension LineForm.BridgeLine {
  init(_ fields: Value.Members) throws {
    switch try #require(fields.text("type")) {
    case "who": self = .whoAreYou
    case "describe": self = .describe(index: fields.integer("index"))
    case "greet": self = .greet(try #require(.init(Array(fields.text("token")?.utf8 ?? "".utf8))))
    case "ping": self = .ping
    case "repeat": self = .repeat
    case "bye": self = .goodbye
    case "keep_identity":
      self = .keepIdentity(try #require(.init(Array(fields.text("identity")?.utf8 ?? "".utf8))))
    case "command":
      let argument: Argument =
        switch (fields["text"], fields["number"]) {
        case (.text(let text)?, _): .text(text)
        case _ where fields["put"] != nil: .put(fields.text("put") ?? "")
        case _ where fields["delete"] != nil: .delete(JSON.text(of: fields["delete"] ?? .unknown))
        case (_, .integer(let number)?): .number(Double(number), decimals: 6)
        case (_, .number(let number)?): .number(number, decimals: 6)
        default: .none
        }
      self = .command(
        sequence: try #require(fields.text("sequence")?.utf8.first),
        index: try #require(fields.integer("index")), argument)
    case let type: throw Vectors.NotVectors(name: type)
    }
  }
}

extension Value {
  /// Whole numbers of JSON and of doubles are the same, and the order of members does not matter.
  var comparable: Value {
    switch self {
    case .integer(let integer): .number(Double(integer))
    case .list(let elements): .list(elements.map(\.comparable))
    case .object(let members):
      .object(Members(members.pairs.map { ($0.name, $0.value.comparable) }.sorted { $0.0 < $1.0 }))
    default: self
    }
  }
}
