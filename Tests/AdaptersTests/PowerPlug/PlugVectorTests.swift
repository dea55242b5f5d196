import DeviceModel
import Testing

@testable import Adapters

struct `The power plug's vectors` {
  @Test func `29 bytes are an activation, a free slot or an error`() throws {
    for vector in try Vectors.load("power-plug-activations.json") {
      let why = Comment(rawValue: vector.text("why") ?? "")
      let bytes = try vector.bytes("hex")
      if let fields = vector.members("fields") {
        let activation = try #require(try Activation.decode(bytes), why)
        #expect(activation == Activation(fields), why)
        #expect(activation.encoded.hex == vector.text("encoded") ?? bytes.hex, why)
      } else if vector.isTrue("free") == true {
        #expect(try Activation.decode(bytes) == nil, why)
      } else {
        let error = #expect(throws: ActivationError.self, why) { try Activation.decode(bytes) }
        #expect(error?.description == vector.text("error"), why)
      }
    }
  }

  @Test func `the stream is cut into messages as its vector says`() throws {
    for vector in try Vectors.load("power-plug-messages.json") {
      var decoder = PlugDecoder(slots: vector.integer("slots"))
      var frames: [PlugFrame] = []
      for case .text(let hex) in try #require(vector.list("received")) {
        decoder.receive(try [UInt8](hex: hex), into: &frames)
      }
      if vector.isTrue("settled") != false { decoder.settle(into: &frames) }
      #expect(
        Value.list(frames.map(\.vector)) == vector["messages"], Comment(rawValue: vector.text("why") ?? ""))
    }
  }

  @Test func `a command for the schedule is understood or refused`() throws {
    for vector in try Vectors.load("power-plug-schedule-commands.json") {
      let why = Comment(rawValue: vector.text("why") ?? "")
      let word = try #require(vector.text("verb"))
      let verb = try #require(Property.Verb(rawValue: word))
      let command = Command("schedule", verb: verb, try #require(vector["value"]))
      if let reason = vector.text("reason") {
        let error = #expect(throws: Rejection.self, why) { try ScheduleEdit(command) }
        #expect(error?.reason.rawValue == reason, why)
        let words = try #require(vector.text("says"))
        #expect(error?.explanation.contains(words) == true, "\(error as Any)")
        continue
      }
      let edit = try ScheduleEdit(command)
      let activations = vector.list("activations")?.compactMap { Activation($0) }
      switch verb {
      case .set: #expect(edit == activations.map { .replace($0) }, why)
      case .put: #expect(edit == activations?.first.map { .put($0) }, why)
      case .delete: #expect(edit == vector.text("delete").map { .delete($0) }, why)
      }
    }
  }
}

extension Activation {
  /// As vectors write one.
  init?(_ value: Value) {
    guard case .object(let members) = value else { return nil }
    self.init(members)
  }

  init?(_ members: Value.Members) {
    guard let name = members.text("name"), let start = members.integer("start"),
      let length = members.integer("length"), let period = members.integer("period")
    else { return nil }
    self.init(
      name: name, start: UInt32(start), lengthMinutes: UInt16(length), periodMinutes: UInt16(period))
  }
}

extension PlugFrame {
  /// As vectors write one.
  fileprivate var vector: Value {
    switch self {
    case .status(let status): ["manual": .boolean(status.isManual), "on": .boolean(status.isOn)]
    case .table(let bytes): ["table": .text(bytes.hex)]
    case .brokenTable(let count, let reason): ["broken": .integer(count), "error": .text(reason)]
    case .noise(let count): ["noise": .integer(count)]
    case .excess(let count): ["excess": .integer(count)]
    }
  }
}
