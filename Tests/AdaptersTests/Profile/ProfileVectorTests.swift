import DeviceModel
import Testing

@testable import Adapters

/// The measure of the language: what the built-in kinds hold no state for, said in profiles and read from the same
/// vectors.
struct `Profiles of the boards that have kinds of their own` {
  static let petDoor = #"""
    framing: { search: true, maximum: 64 }
    messages:
      lock: { regex: 'm:(?<m>[01])' }
      status: { regex: 's:(?<s>[01]);t:(?<t>-?\d{1,3}\.\d\d)' }
    properties:
      manual_lock:
        kind: switch
        from: m
        assumed: true
        set: '{value}'
      latch: { kind: binary_sensor, class: lock, from: s }
      temperature:
        kind: sensor
        from: t
        unit: °C
        class: temperature
        precision: 2
        minimum: -55
        maximum: 125
        unknown: ['85.00', '-127.00']
    sending: { end: '' }
    """#

  @Test func `the pet door's messages`() throws {
    for vector in try Vectors.load("pet-door-messages.json") {
      var talk = try ProfileText.talk(Self.petDoor)
      var read: [Value] = []
      for case .text(let hex) in try #require(vector.list("received")) {
        var message = Value.Members()
        for output in talk.receive(try [UInt8](hex: hex)) {
          switch output {
          case .report("manual_lock", let value): read.append(["manual_lock": value])
          case .report("latch", let value): message["open"] = value
          case .report("temperature", let value):
            message["temperature"] = value
            read.append(.object(message))
          case .undecodable(let count, _): read.append(["garbage": .integer(count)])
          default: break
          }
        }
      }
      #expect(
        Value.list(read) == vector["messages"].map(Self.withDoubles),
        Comment(rawValue: vector.text("why") ?? ""))
    }
  }

  @Test func `the pet door's commands`() throws {
    var talk = try ProfileText.talk(Self.petDoor)
    #expect(talk.command(1, Command("manual_lock", true)).sentText == ["1"])
    #expect(talk.command(2, Command("manual_lock", false)).sentText == ["0"])
  }

  /// - Parameter slots: The table's size is part of the sketch; a profile has to know it.
  static func plug(slots: Int) -> String {
    #"""
    framing: { tags: { S: 3, A: \#(1 + 29 * slots) }, maximum: 4096 }
    messages:
      status: { starts_with: S, binary: [{ name: manual, type: u8 }, { name: on, type: u8 }] }
      table:
        starts_with: A
        binary:
          - name: slots
            records:
              - { name: name, type: cstring, size: 21 }
              - { name: start, type: u32 }
              - { name: length, type: u16 }
              - { name: period, type: u16 }
    properties:
      power: { kind: switch, class: outlet, from: on, on: '1', off: '0', set: { hex: '53 {value:u8}' } }
      mode:
        kind: enum
        from: manual
        values: { '0': automatic, '1': manual }
      slots:
        kind: json
        put: { hex: '55 {value.index:u8} {value.name:ascii21} {value.start:u32} {value.length:u16} {value.period:u16}' }
        delete: { hex: '44 {value.index:u8}' }
    sending: { end: '', pause: 100ms }
    link: { transports: [tcp], poll: 10s, until: [status, table] }
    polling: [{ send: A, expect: table, every: 10s }]
    """#
  }

  @Test func `29 bytes are an activation or an error`() throws {
    for vector in try Vectors.load("power-plug-activations.json") {
      let why = Comment(rawValue: vector.text("why") ?? "")
      var talk = try ProfileText.talk(Self.plug(slots: 1))
      let outputs = talk.receive([0x41] + (try vector.bytes("hex")))
      let reported = outputs.compactMap { if case .report("slots", let value) = $0 { value } else { nil } }
      if let fields = vector.members("fields") {
        #expect(
          reported == [.list([.object(.init(fields.pairs.map { ($0.name, Self.withDoubles($0.value)) }))])],
          why)
      } else if vector.isTrue("free") == true {
        guard case .list(let slots)? = reported.first, case .object(let slot)? = slots.first else {
          Issue.record(why)
          continue
        }
        #expect(slot["name"] == "", why)
      } else if (try vector.bytes("hex")).count >= 29 {
        let isExact = try vector.bytes("hex").count == 29
        #expect(reported.isEmpty == isExact, why)
        #expect(outputs.undecodableBytes > 0, why)
      } else {
        #expect(reported.isEmpty, why)
      }
    }
  }

  @Test func `an activation is written as the built-in kind writes it`() throws {
    var count = 0
    for vector in try Vectors.load("power-plug-activations.json") {
      guard let fields = vector.members("fields") else { continue }
      var talk = try ProfileText.talk(Self.plug(slots: 1))
      talk.pass(.milliseconds(100))
      _ = talk.receive([0x41] + Array(repeating: 0, count: 29))
      var value = fields
      value["index"] = 3
      let outputs = talk.command(1, Command("slots", verb: .put, .object(value)))
      // What has a control character in its name is refused: on other boards it would be a command of its own.
      guard fields.text("name")?.utf8.allSatisfy({ $0 >= 0x20 }) == true else {
        #expect(outputs.reasons == [.invalid])
        continue
      }
      count += 1
      #expect(outputs.sent.map(\.hex) == ["5503" + (vector.text("encoded") ?? vector.text("hex") ?? "")])
    }
    #expect(count > 5)
  }

  /// Vectors in which a silence, or what was asked before, decides what a message is: that is the plug's logic.
  private static let needState: Set<String> = [
    "a table of two slots ends at a silence", "without a silence it is not over",
    "a status glued to the end of a table of unknown size", "two statuses glued there",
    "a second table that nobody asked for", "more slots than are configured",
    "fewer slots than are configured",
  ]

  @Test func `the plug's messages`() throws {
    var checked = 0
    for vector in try Vectors.load("power-plug-messages.json") {
      let why = vector.text("why") ?? ""
      guard !Self.needState.contains(why), let messages = vector.list("messages"),
        let slots = vector.integer("slots") ?? Self.slots(in: messages)
      else { continue }
      var talk = try ProfileText.talk(Self.plug(slots: slots))
      var read: [Value] = []
      for case .text(let hex) in try #require(vector.list("received")) {
        var manual = Value.unknown
        var power = Value.unknown
        for output in talk.receive(try [UInt8](hex: hex)) {
          switch output {
          case .report("power", let value): power = value
          case .report("mode", let value):
            manual = .boolean(value == "manual")
            read.append(["manual": manual, "on": power])
          case .report("slots", .list(let elements)): read.append(["table": .integer(elements.count)])
          case .undecodable(let count, _): read.append(["noise": .integer(count)])
          default: break
          }
        }
      }
      checked += 1
      #expect(read == messages.compactMap(Self.counted), Comment(rawValue: why))
    }
    #expect(checked >= 10)
  }

  /// A table's bytes are compared above, one by one.
  private static func counted(_ message: Value) -> Value? {
    guard case .object(let members) = message else { return nil }
    if let table = members.text("table") { return ["table": .integer(table.utf8.count / 58)] }
    return message
  }

  private static func slots(in messages: [Value]) -> Int? {
    for case .object(let members) in messages {
      if let table = members.text("table") { return table.utf8.count / 58 }
      if members["broken"] != nil || members["excess"] != nil { return nil }
    }
    return 1
  }

  /// JSON has one kind of number, and 21 is a temperature like 21.5.
  static func withDoubles(_ value: Value) -> Value {
    switch value {
    case .integer(let integer): .number(Double(integer))
    case .list(let elements): .list(elements.map(withDoubles))
    case .object(let members):
      .object(.init(members.pairs.map { ($0.name, $0.name == "garbage" ? $0.value : withDoubles($0.value)) }))
    default: value
    }
  }
}
