import DeviceModel
import EventLoop
import Foundation
import JSON
import Simulation
import Synchronization
import TestSupport
import Testing

struct `A board with a profile` {
  private static let terrace = """
    messages:
      reading: { pairs: {} }
      pressed: { text: BTN, event: pressed }
    properties:
      temperature: { kind: sensor, from: t, unit: °C, class: temperature }
      lamp: { kind: switch, from: l, set: { send: 'L{value}', expect: value } }
    polling:
      - { send: '?', every: 5s, expect: reading }
    """

  /// Answers `?` and takes `L0` and `L1`.
  private static func board() throws -> ScriptedServer {
    let lamp = Lamp()
    return try ScriptedServer { bytes in
      for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") where line.hasPrefix("L") {
        lamp.isOn = line == "L1"
      }
      return .send(Array("t=21.5,l=\(lamp.isOn ? 1 : 0)\n".utf8))
    }
  }

  private func withBoard(
    _ board: ScriptedServer, _ body: (House) async throws -> Void
  ) async throws {
    var options = House.Options()
    options.plugs = 0
    try await withHouse(
      options,
      configured: { text in
        text.devices = [
          """
          { name: Terrace, kind: profile, link: { tcp: "127.0.0.1:\(board.port)" }, \
          options: { profile: boards/terrace.yaml } }
          """
        ]
      }
    ) { house in
      try FileManager.default.createDirectory(
        atPath: house.folder("boards"), withIntermediateDirectories: true)
      try house.folder.write(Self.terrace, to: "boards/terrace.yaml")
      try house.start()
      try await body(house)
    }
  }

  @Test func `over TCP is read, set, and shown to Home Assistant`() async throws {
    let board = try Self.board()
    try await withBoard(board) { house in
      try await house.message(on: "terrace/availability") { $0.text == "online" }
      try await house.message(on: "terrace") { $0.text == #"{"temperature":21.5,"lamp":"OFF"}"# }
      try await house.publish("ON", to: "terrace/lamp/set")
      try await house.message(on: "terrace") { $0.text.contains(#""lamp":"ON""#) }
      let discovery = try await house.recorder.message(
        on: "homeassistant/device/sketch2mqtt_main_terrace/config", within: .patience)
      let components = try #require(try discovery.json["components"] ?? discovery.json["cmps"])
      #expect(discovery.text.contains("°C") && components != .unknown)
      let seen = house.recorder.messages.count
      try await house.publish("99", to: "terrace/temperature/set")
      #expect(try await house.failure(from: seen).reason == "read_only")
    }
  }

  @Test func `goes on with the old profile when the new one has mistakes`() async throws {
    let board = try Self.board()
    try await withBoard(board) { house in
      try await house.message(on: "terrace") { $0.text.contains("21.5") }
      try await house.message(on: "terrace/availability") { $0.text == "online" }
      let seen = house.recorder.messages.count
      try house.folder.write(
        Self.terrace.replacing("kind: switch", with: "kind: swich").replacing("°C", with: "C"),
        to: "boards/terrace.yaml")
      let answer = try await house.request("reload")
      let error = try #require(answer["error"]?.text)
      #expect(answer["status"] == "error")
      #expect(
        error.contains("boards/terrace.yaml:6:17: ") && error.contains("did you mean 'switch'?"), "\(error)")
      try await house.publish("ON", to: "terrace/lamp/set")
      try await house.message(on: "terrace", from: seen) { $0.text.contains(#""lamp":"ON""#) }
      #expect(
        !house.recorder.messages.all[seen...].contains { $0.topic == "sketch2mqtt/terrace/availability" })

      // What only Home Assistant minds is a mistake too.
      try house.folder.write(Self.terrace.replacing("°C", with: "C"), to: "boards/terrace.yaml")
      let unit = try #require(try await house.request("reload")["error"]?.text)
      #expect(unit.contains("boards/terrace.yaml:5:47: ") && unit.contains("'C' does not fit"), "\(unit)")

      // And a right one takes its place.
      try house.folder.write(
        Self.terrace.replacing("temperature: {", with: "outside: {"), to: "boards/terrace.yaml")
      #expect(try await house.request("reload")["status"] == "ok")
      try await house.message(on: "terrace", from: seen) { $0.text.contains(#""outside":21.5"#) }
    }
  }

  @Test func `that does not answer is away`() async throws {
    let board = try ScriptedServer { _ in .nothing }
    try await withBoard(board) { house in
      try await board.received.first(within: .patience) { $0 == Array("?\n".utf8) }
      // It was accepted, asked twice, and left.
      try await board.received.first(from: 1, within: .patience) { $0 == Array("?\n".utf8) }
      let seen = house.recorder.messages.count
      try await house.publish("ON", to: "terrace/lamp/set")
      _ = try await house.failure(from: seen)
      #expect(
        !house.recorder.messages.all.contains {
          $0.topic == "sketch2mqtt/terrace/availability" && $0.text == "online"
        })
    }
  }

  @Test func `over Bluetooth LE is read and set in packets`() async throws {
    try await withRadio { house, radio in
      try house.configure { text in
        text.devices[text.devices.count - 1] = """
          { name: Board, kind: profile, link: { ble: "\(Radio.boardAddress)" }, options: { profile: { \
          framing: packet, messages: { r: { starts_with: S, binary: [ { name: v, type: i16 } ] } }, properties: { \
          v: { kind: sensor, unit: "°C", scale: 0.1 }, red: { kind: number, maximum: 255, set: { hex: "52 {value:u8}" } } } } } }
          """
      }
      try await house.startWithRadio()
      await radio.say([0x53, 0xD7, 0x00])
      try await house.message(on: "board") { $0.state("v") == 21.5 }
      try await house.publish("200", to: "board/red/set")
      try await house.message(on: "board") { $0.state("red") == 200 }
      try await radio.board.wait { !$0.received.isEmpty }
      #expect(await radio.board.received == [[0x52, 200]])
      // What is no message changes nothing.
      await radio.say([0x53, 0x00])
      await radio.say([0x53, 0xE1, 0x00])
      try await house.message(on: "board") { $0.state("v") == 22.5 }
    }
  }
}

extension Radio {
  fileprivate func say(_ bytes: [UInt8]) { board.say(bytes) }
}

/// The one lamp of the board.
private final class Lamp: Sendable {
  private let state = Mutex(false)
  var isOn: Bool {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }
}
