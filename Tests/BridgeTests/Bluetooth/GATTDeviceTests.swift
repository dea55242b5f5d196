import DeviceModel
import EventLoop
import JSON
import Simulation
import TestSupport
import Testing

struct `A GATT device at home` {
  private static let device = """
    { name: Weather, kind: gatt, link: { ble: "\(Air.weatherAddress)" }, options: { \
    services: [battery, device_information, environmental_sensing], characteristics: [ \
    { name: Lamp, characteristic: "\(WeatherBoard.lamp)", format: bit, writable: true }, \
    { name: Label, characteristic: "\(WeatherBoard.label)", format: utf8, writable: true } ] } }
    """

  @Test func `its values are read, followed and set`() async throws {
    try await withAir([Self.device]) { lodge, air in
      let (board, radio) = air.weather()
      let topic = "sketch2mqtt/weather"
      let state = try await lodge.recorder.message(on: topic) { $0.state("label") == "attic" }
      #expect(state.state("battery") == 87)
      #expect(state.state("temperature") == 21.5)
      #expect(state.state("humidity") == 48)
      #expect(state.state("pressure") == 101325)
      #expect(state.state("lamp") == "OFF")
      #expect(state.state("elevation") == .unknown)
      try await lodge.recorder.message(on: "homeassistant/device/sketch2mqtt_main_weather/config") {
        (try? $0.json["device"]?["manufacturer"]) == "Acme"
      }

      board.set([0x34, 0x08], of: WeatherBoard.temperature)
      try await lodge.recorder.message(on: topic) { $0.state("temperature") == 21 }
      try await lodge.publish("ON", to: "sketch2mqtt/weather/lamp/set")
      try await lodge.recorder.message(on: topic) { $0.state("lamp") == "ON" }
      #expect(board.values[WeatherBoard.lamp] == [1])
      try await lodge.publish("cellar", to: "sketch2mqtt/weather/label/set")
      try await lodge.recorder.message(on: topic) { $0.state("label") == "cellar" }

      radio.drop()
      let seen = lodge.recorder.messages.count
      try await lodge.recorder.message(on: "sketch2mqtt/weather/availability", from: seen) {
        $0.text == "online"
      }
      board.set([0x98, 0x08], of: WeatherBoard.temperature)
      try await lodge.recorder.message(on: topic, from: seen) { $0.state("temperature") == 22 }
    }
  }

  @Test func `a write that the board refuses is told with the error's name, and the next is done`()
    async throws
  {
    try await withAir([Self.device]) { lodge, air in
      let (board, radio) = air.weather()
      try await lodge.recorder.message(on: "sketch2mqtt/weather") { $0.state("label") == "attic" }
      for (code, words) in [
        (0x13, "value not allowed"), (0x0D, "Invalid Length"), (0x03, "Write not permitted"),
        (0x05, "paired"), (0x81, "ATT error 0x81"),
      ] as [(UInt8, String)] {
        radio.nextFaults["WriteValue"] = [.attribute(code)]
        let seen = lodge.recorder.messages.count
        try await lodge.publish("cellar", to: "sketch2mqtt/weather/label/set")
        let event = try await lodge.recorder.message(on: "sketch2mqtt/bridge/main/event", from: seen) {
          (try? $0.json["event_type"]) == "command_failed"
        }
        #expect(try event.json["reason"] == "link_error")
        #expect(try event.json["property"] == "label")
        #expect(try event.json["error"]?.text?.contains(words) == true, "\(event.text)")
      }
      #expect(board.written.isEmpty)
      try await lodge.publish("cellar", to: "sketch2mqtt/weather/label/set")
      try await lodge.recorder.message(on: "sketch2mqtt/weather") { $0.state("label") == "cellar" }
    }
  }

  @Test func `one that is polled stays online between its sessions, and its values stand`() async throws {
    let device = Self.device.replacing(
      "\(Air.weatherAddress)\" }", with: "\(Air.weatherAddress)\", session: polled, poll: 1s }")
    try await withAir([device]) { lodge, air in
      let (board, radio) = air.weather()
      let topic = "sketch2mqtt/weather"
      try await lodge.recorder.message(on: topic) { $0.state("label") == "attic" }
      try await lodge.recorder.message(on: "sketch2mqtt/weather/availability") { $0.text == "online" }
      let seen = lodge.recorder.messages.count
      try await air.bluez.wait { _ in radio.connectCalls >= 3 && !radio.isConnected }
      board.set([0x98, 0x08], of: WeatherBoard.temperature)
      try await lodge.recorder.message(on: topic, from: seen) { $0.state("temperature") == 22 }
      let told = lodge.recorder.messages.all.dropFirst(seen)
      #expect(!told.contains { $0.topic == topic && $0.state("label") == .unknown })
      #expect(!told.contains { $0.topic == "sketch2mqtt/weather/availability" && $0.text == "offline" })
    }
  }

  @Test func `after a reconnection it is online with what was read in it, and unknown with what was not`()
    async throws
  {
    try await withAir([Self.device]) { lodge, air in
      let (board, radio) = air.weather()
      let topic = "sketch2mqtt/weather"
      try await lodge.recorder.message(on: topic) { $0.state("label") == "attic" }
      try await lodge.recorder.message(on: "sketch2mqtt/weather/availability") { $0.text == "online" }
      let seen = lodge.recorder.messages.count
      radio.faults["ReadValue"] = .attribute(0x0E)
      board.set([0x98, 0x08], of: WeatherBoard.temperature)
      radio.drop()
      try await lodge.recorder.message(on: "sketch2mqtt/weather/availability", from: seen) {
        $0.text == "offline"
      }
      let lost = lodge.recorder.messages.count
      let online = try await lodge.recorder.message(on: "sketch2mqtt/weather/availability", from: lost) {
        $0.text == "online"
      }
      let told = lodge.recorder.messages.all
      let place = try #require(told.lastIndex { $0.topic == online.topic && $0.text == "online" })
      let state = try #require(told[..<place].last { $0.topic == topic })
      for key in ["label", "lamp", "humidity", "battery"] { #expect(state.state(key) == .unknown, "\(key)") }
      radio.faults["ReadValue"] = nil
      try await lodge.publish("", to: "sketch2mqtt/weather/get")
      try await lodge.recorder.message(on: topic, from: lost) {
        $0.state("label") == "attic" && $0.state("temperature") == 22
      }
    }
  }

  @Test func `a write that the board does not offer is told`() async throws {
    let device = """
      { name: Weather, kind: gatt, link: { ble: "\(Air.weatherAddress)" }, options: { characteristics: [ \
      { name: Heat, characteristic: 2A6E, format: int16, writable: true, minimum: 0, maximum: 9 } ] } }
      """
    try await withAir([device]) { lodge, air in
      _ = air.weather()
      try await lodge.recorder.message(on: "sketch2mqtt/weather") { $0.state("heat") == 2150 }
      try await lodge.publish("5", to: "sketch2mqtt/weather/heat/set")
      let event = try await lodge.recorder.message(on: "sketch2mqtt/bridge/main/event") {
        (try? $0.json["event_type"]) == "command_failed"
      }
      #expect(try event.json["reason"] == "link_error")
      #expect(try event.json["error"]?.text?.contains("does not offer") == true)
    }
  }
}
