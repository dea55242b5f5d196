import DeviceModel
import EventLoop
import JSON
import Simulation
import TestSupport
import Testing

@testable import Bridge

struct `Boards that nobody has declared` {
  private static let board = "\"address\": \"\(Air.weatherAddress)\""

  @Test func `the adapters are told, and how they stand`() async throws {
    try await withAir { lodge, air in
      var data = try await lodge.asked("ble/adapters")
      #expect(data["state"] == "powered_on")
      #expect(data["adapter"] == "hci0")
      #expect(data["problem"] == .unknown)
      #expect(data["adapters"]?.list.first?["address"]?.text == air.bluez.adapterAddress)
      air.bluez.powerOff()
      // The bridge has to have heard of it.
      while data["state"] == "powered_on" { data = try await lodge.asked("ble/adapters") }
      #expect(data["state"] == "powered_off")
      #expect(try await lodge.refused("ble/scan", #"{"seconds": 1}"#).contains("is off"))
      #expect(try await lodge.refused("ble/connect", "{\(Self.board)}").contains("is off"))
      air.bluez.unplug()
      while data["state"] == "powered_off" { data = try await lodge.asked("ble/adapters") }
      #expect(data["state"] == "unsupported")
      air.bluez.kill()
      while data["state"] == "unsupported" { data = try await lodge.asked("ble/adapters") }
      #expect(data["state"] == "resetting")
    }
  }

  @Test func `a scan tells who is there, the strongest first, as far as it is wanted`() async throws {
    try await withAir { lodge, air in
      let (_, near) = air.weather()
      near.rssiDBm = -40
      let (_, far) = air.weather(name: "Weathervane", at: "C0:DE:00:00:00:12")
      far.rssiDBm = -80
      air.bluez.addIBeacon(
        at: "C0:DE:00:00:00:13", uuid: [UInt8](repeating: 0xAB, count: 16), major: 1, minor: 2)
      let all = try await lodge.asked("ble/scan", #"{"seconds": 1}"#)["devices"]?.list ?? []
      #expect(
        all.compactMap { $0["address"]?.text } == [
          "C0:DE:00:00:00:11", "C0:DE:00:00:00:13", "C0:DE:00:00:00:12",
        ])
      #expect(all.first?["rssi"] == -40)
      #expect(all.first?["name"] == "Weather")
      #expect(all.first?["services"] == ["180f"])
      #expect(all[1]["beacon"]?["identity"] == "abababab-abab-abab-abab-abababababab:1:2")
      #expect(all[1]["manufacturer_data"]?["004c"]?.text?.hasPrefix("0215abab") == true)
      for (filter, count) in [
        (#""rssi": -60"#, 2), (#""name_prefix": "Weather""#, 2), (#""name_prefix": "Weatherv""#, 1),
        (#""services": ["180F"]"#, 2), (#""services": ["FEAA"]"#, 0),
      ] {
        let heard = try await lodge.asked("ble/scan", "{\"seconds\": 1, \(filter)}")["devices"]?.list
        #expect(heard?.count == count, "\(filter)")
      }
      for wrong in [
        #"{"seconds": 0}"#, #"{"seconds": "x"}"#, #"{"services": "180f"}"#, #"{"services": ["x"]}"#,
        #"{"rssi": 99}"#, #"{"name_prefix": 1}"#,
      ] {
        #expect(!(try await lodge.refused("ble/scan", wrong)).isEmpty)
      }
    }
  }

  @Test func `a board's whole life as its explorer sees it`() async throws {
    try await withAir { lodge, air in
      let (board, radio) = air.weather()
      let connected = try await lodge.asked("ble/connect", #"{"name": "Weather"}"#)
      #expect(connected["address"] == .text(Air.weatherAddress))
      #expect(connected["rssi"] == -60)
      #expect(connected["services"]?.list.count == 4)

      let explored = try await lodge.asked("ble/explore", "{\(Self.board), \"values\": true}")
      let services = explored["services"]?.list ?? []
      #expect(
        services.compactMap { $0["name"]?.text } == [
          "Battery", "Device Information", "Environmental Sensing",
        ])
      let temperature = services[2]["characteristics"]?.list.first
      #expect(temperature?["uuid"] == "2a6e")
      #expect(temperature?["name"] == "Temperature")
      #expect(temperature?["properties"] == ["read", "notify"])
      #expect(temperature?["value"] == "6608")
      #expect(temperature?["descriptors"]?.list.map { $0["value"] } == ["0000", "6f757473696465"])
      let own = services[3]["characteristics"]?.list ?? []
      #expect(own[2]["encryption"] == ["read"], "it was refused to who is not paired")
      #expect(own[2]["value"] == .unknown)

      #expect(
        try await lodge.asked("ble/read", "{\(Self.board), \"characteristic\": \"2A6E\"}")["value"] == "6608")
      let label = "\(Self.board), \"characteristic\": \"\(WeatherBoard.label)\""
      #expect(try await lodge.asked("ble/read", "{\(label), \"encoding\": \"text\"}")["value"] == "attic")
      #expect(
        try await lodge.asked("ble/read", "{\(label), \"encoding\": \"base64\"}")["value"] == "YXR0aWM=")
      let written = try await lodge.asked(
        "ble/write", "{\(label), \"value\": \"cellar\", \"encoding\": \"text\"}")
      #expect(written["response"] == true)
      let beep = "\(Self.board), \"characteristic\": \"\(WeatherBoard.beep)\""
      #expect(try await lodge.asked("ble/write", "{\(beep), \"value\": \"01ff\"}")["response"] == false)
      #expect(board.written.map(\.bytes) == [Array("cellar".utf8), [1, 255]])

      let topic = "sketch2mqtt/bridge/main/ble/\(Air.weatherAddress)/2a19"
      let battery = "\(Self.board), \"characteristic\": \"2a19\""
      _ = try await lodge.asked("ble/notify", "{\(battery), \"on\": true}")
      board.set([0x2A], of: WeatherBoard.battery)
      let notified = try await lodge.recorder.message(on: topic)
      #expect(try notified.json["value"] == "2a")
      #expect(try notified.json["time"]?.text?.hasSuffix("Z") == true)
      #expect(!notified.isRetained)
      _ = try await lodge.asked("ble/notify", "{\(battery), \"on\": false}")

      _ = try await lodge.asked("ble/disconnect", "{\(Self.board)}")
      #expect(try await lodge.refused("ble/disconnect", "{\(Self.board)}").contains("not connected"))
      #expect(radio.connectCalls == 1)
    }
  }

  @Test func `what a board does not offer is refused without asking it`() async throws {
    try await withAir { lodge, air in
      let (board, radio) = air.weather()
      func characteristic(_ uuid: String) -> String { "{\(Self.board), \"characteristic\": \"\(uuid)\"" }
      for (name, text, word) in [
        ("ble/read", characteristic(WeatherBoard.beep) + "}", "cannot be read"),
        ("ble/write", characteristic("2a6e") + ", \"value\": \"00\"}", "cannot be written"),
        (
          "ble/write", characteristic(WeatherBoard.beep) + ", \"value\": \"00\", \"response\": true}",
          "with a response"
        ),
        (
          "ble/write", characteristic(WeatherBoard.lamp) + ", \"value\": \"00\", \"response\": false}",
          "without a response"
        ),
        ("ble/notify", characteristic("2a6f") + ", \"on\": true}", "cannot be notified"),
        ("ble/notify", characteristic("2a19") + "}", "'on' is missing"),
        ("ble/read", characteristic("2a00") + "}", "has no characteristic 2a00"),
        ("ble/read", characteristic("2a19") + ", \"descriptor\": \"2904\"}", "descriptor 2904"),
        ("ble/read", characteristic("hello") + "}", "takes a UUID"),
        ("ble/read", "{\(Self.board)}", "'characteristic' is missing"),
        ("ble/write", characteristic(WeatherBoard.lamp) + "}", "'value' is missing"),
        ("ble/write", characteristic(WeatherBoard.lamp) + ", \"value\": \"0\"}", "not hex"),
        (
          "ble/write", characteristic(WeatherBoard.lamp) + ", \"value\": \"0\", \"encoding\": \"octal\"}",
          "octal"
        ),
        ("ble/connect", "{}", "'address' is missing"),
        ("ble/connect", #"{"address": "C0:DE"}"#, "takes an address"),
        ("ble/connect", "{\(Self.board), \"timeout\": 0}", "timeout"),
      ] {
        let error = try await lodge.refused(name, text)
        #expect(error.contains(word), "\(name) \(text): \(error)")
      }
      #expect(board.written.isEmpty)
      #expect(radio.calls["WriteValue"] == nil)
      #expect(
        try await lodge.refused(
          "ble/read", characteristic(WeatherBoard.secret) + "}"
        ).contains("paired"))
    }
  }

  @Test func `a board that is not there, and one that is lost, are told with the reason`() async throws {
    try await withAir { lodge, air in
      let error = try await lodge.refused("ble/connect", #"{"address": "C0:DE:00:00:00:77", "timeout": 1}"#)
      #expect(error.contains("not heard"))
      let (_, radio) = air.weather()
      _ = try await lodge.asked("ble/connect", "{\(Self.board)}")
      radio.drop()
      let event = try await lodge.recorder.message(on: "sketch2mqtt/bridge/main/event")
      #expect(try event.json["event_type"] == "ble_disconnected")
      #expect(try event.json["address"] == .text(Air.weatherAddress))
      #expect(try event.json["reason"]?.text?.contains("lost") == true)
      #expect(
        try await lodge.asked(
          "ble/read", "{\(Self.board), \"characteristic\": \"2a19\"}")["value"] == "57", "it connects anew")
    }
  }

  @Test func `several requests to one board are answered in their order`() async throws {
    try await withAir { lodge, air in
      let (board, _) = air.weather()
      let seen = lodge.recorder.messages.count
      for number in 0..<10 {
        let text =
          "{\(Self.board), \"characteristic\": \"\(WeatherBoard.label)\", \"value\": \"0\(number)\", "
        try await lodge.publish(
          text + "\"transaction\": \(number)}", to: "sketch2mqtt/bridge/main/request/ble/write")
      }
      let last = try await lodge.recorder.message(
        on: "sketch2mqtt/bridge/main/response/ble/write", from: seen
      ) {
        (try? $0.json["transaction"]) == 9
      }
      #expect(try last.json["status"] == "ok")
      #expect(board.written.map(\.bytes) == (0..<10).map { [UInt8($0)] })
    }
  }

  @Test func `several boards are asked side by side`() async throws {
    try await withAir { lodge, air in
      let (_, slow) = air.weather()
      let (_, quick) = air.weather(name: "Quick", at: "C0:DE:00:00:00:12")
      func ask(_ address: String, _ number: Int) async throws {
        let text = "{\"address\": \"\(address)\", \"characteristic\": \"2a19\", \"transaction\": \(number)}"
        try await lodge.publish(text, to: "sketch2mqtt/bridge/main/request/ble/read")
      }
      for address in [Air.weatherAddress, "C0:DE:00:00:00:12"] {
        _ = try await lodge.asked("ble/connect", "{\"address\": \"\(address)\"}")
      }
      slow.holdsReads = true
      let seen = lodge.recorder.messages.count
      try await ask(Air.weatherAddress, 1)
      try await ask(Air.weatherAddress, 2)
      for number in 3...7 { try await ask("C0:DE:00:00:00:12", number) }
      let topic = "sketch2mqtt/bridge/main/response/ble/read"
      try await lodge.recorder.message(on: topic, from: seen) { (try? $0.json["transaction"]) == 7 }
      #expect(slow.calls["ReadValue"] == 1, "the second waits for its turn")
      slow.holdsReads = false
      try await lodge.recorder.message(on: topic, from: seen) { (try? $0.json["transaction"]) == 2 }
      let answers = lodge.recorder.messages.all.dropFirst(seen).filter { $0.topic == topic }
      #expect(answers.compactMap { try? $0.json["transaction"] } == [3, 4, 5, 6, 7, 1, 2])
      #expect(try answers.allSatisfy { try $0.json["status"] == "ok" })
      #expect(quick.connectCalls == 1 && slow.connectCalls == 1)
    }
  }

  @Test func `a write with a response that the board refuses is told with the error's name`() async throws {
    try await withAir { lodge, air in
      let (board, radio) = air.weather()
      let write = "{\(Self.board), \"characteristic\": \"\(WeatherBoard.label)\", \"value\": \"00\"}"
      for (code, words) in [
        (0x13, "value not allowed (ATT error 0x13)"), (0x0E, "unlikely error (ATT error 0x0e)"),
        (0x03, "not permitted"), (0x0F, "paired"),
      ] as [(UInt8, String)] {
        radio.nextFaults["WriteValue"] = [.attribute(code)]
        let error = try await lodge.refused("ble/write", write)
        #expect(error.contains(words), "\(error)")
      }
      #expect(board.written.isEmpty)
      #expect(try await lodge.asked("ble/write", write)["response"] == true)
      #expect(radio.connectCalls == 1)
    }
  }

  @Test func `a connection that nobody uses is closed, and one that notifies is not`() async throws {
    try await withAir { lodge, air in
      try lodge.running.explorer.idle = .milliseconds(200)
      let (board, radio) = air.weather()
      let (_, other) = air.weather(name: "Other", at: "C0:DE:00:00:00:12")
      _ = try await lodge.asked("ble/notify", "{\(Self.board), \"characteristic\": \"2a19\", \"on\": true}")
      _ = try await lodge.asked("ble/connect", #"{"name": "Other"}"#)
      let event = try await lodge.recorder.message(on: "sketch2mqtt/bridge/main/event") {
        (try? $0.json["event_type"]) == "ble_disconnected"
      }
      #expect(try event.json["address"] == "C0:DE:00:00:00:12")
      #expect(try event.json["reason"] == "nobody uses it")
      try await air.bluez.wait { _ in !other.isConnected }
      #expect(radio.isConnected)
      board.set([0x2A], of: WeatherBoard.battery)
      try await lodge.recorder.message(on: "sketch2mqtt/bridge/main/ble/\(Air.weatherAddress)/2a19")
      let seen = lodge.recorder.messages.count
      _ = try await lodge.asked("ble/notify", "{\(Self.board), \"characteristic\": \"2a19\", \"on\": false}")
      try await lodge.recorder.message(on: "sketch2mqtt/bridge/main/event", from: seen) {
        (try? $0.json["address"]?.text) == Air.weatherAddress
      }
    }
  }

  @Test func `a board of the bridge's own is left undisturbed`() async throws {
    let device =
      "{ name: Weather, kind: gatt, link: { ble: \"\(Air.weatherAddress)\" }, options: { services: [battery] } }"
    try await withAir([device]) { lodge, air in
      let (_, radio) = air.weather()
      try await lodge.recorder.message(on: "sketch2mqtt/weather/availability") { $0.text == "online" }
      for (name, text) in [
        ("ble/connect", "{\(Self.board)}"), ("ble/explore", "{\(Self.board)}"),
        ("ble/disconnect", "{\(Self.board)}"),
      ] {
        #expect(try await lodge.refused(name, text).contains("'weather'"))
      }
      let error = try await lodge.refused("ble/connect", #"{"name": "Weather", "timeout": 5}"#)
      #expect(!error.isEmpty)
      #expect(radio.isConnected)
      #expect(radio.connectCalls == 1)
    }
  }

  @Test func `a request that there is not is told what there is`() async throws {
    try await withAir { lodge, _ in
      let error = try await lodge.refused("ble/reed")
      #expect(error.contains("did you mean 'ble/read'"))
    }
  }
}
