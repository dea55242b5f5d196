import Testing

@testable import sketch2mqtt

struct ShownStateTests {
  private var state = ShownState(base: "home")

  private mutating func receive(_ topic: String, _ payload: String) -> [String] {
    state.receive(topic, Array(payload.utf8), at: "07:33:29").map(\.line)
  }

  @Test mutating func `a value is new once`() {
    #expect(
      receive("home/plug", #"{"power":"ON","count":1.5,"name":null}"#) == [
        "plug power ON", "plug count 1.5",
      ])
    #expect(receive("home/plug", #"{"power":"ON","count":2,"name":null}"#) == ["plug count 2"])
    #expect(receive("home/plug/availability", "online") == ["plug is online"])
    #expect(receive("home/plug/availability", "online") == [])
    #expect(
      receive("home/plug", #"{"power":null,"name":"lamp"}"#) == ["plug power unknown", "plug name lamp"])
    #expect(state.devices.count == 1)
  }

  @Test mutating func `events are shown, also the bridge's`() {
    #expect(
      receive("home/door/event", #"{"event_type":"opened"}"#) == [#"door event {"event_type":"opened"}"#])
    #expect(
      receive("home/bridge/main/event", #"{"event_type":"x"}"#) == [#"bridge event {"event_type":"x"}"#])
    for number in 1...20 { _ = receive("home/door/event", "\(number)") }
    #expect(state.events.count == ShownState.keptEvents && state.events.last?.hasSuffix("20") == true)
  }

  @Test mutating func `a bridge tells how it is, and which links connect`() {
    #expect(receive("home/bridge/main/state", "online") == ["bridge main is online"])
    #expect(receive("home/bridge/main/state", "online") == [])
    func links(_ isConnected: Bool, _ connects: Int) -> String {
      #"[{"role":"board","transport":"tcp","connected":\#(isConnected),"connects":\#(connects),"#
        + #""failures":1,"last_error":"closed by the board"}]"#
    }
    let devices =
      #"{"devices":[{"id":"plug","name":"Garden plug","kind":"power_plug","links":\#(links(true, 3))}]}"#
    #expect(
      receive("home/bridge/main/devices", devices) == [
        "plug board tcp connected, 3 connects, 1 failure: closed by the board"
      ])
    let health = #"{"uptime":11520,"memory":{"resident_kb":15900},"mqtt":{"waiting":2},"#
    #expect(
      receive("home/bridge/main/health", health + #""devices":{"plug":{"links":\#(links(true, 4))}}}"#) == [])
    let answer = #"{"status":"ok","data":{"devices":{"plug":{"links":\#(links(false, 4))}}}}"#
    #expect(
      receive("home/bridge/main/response/health", answer) == [
        "plug board tcp not connected, 4 connects, 1 failure: closed by the board"
      ])
    #expect(receive("home/bridge/main/info", #"{"version":"1.2.3","mqtt":{"server":"mqtt://b:1883"}}"#) == [])
    _ = receive("home/plug/availability", "offline")
    #expect(
      state.brokerIs("connected: b") == [.broker("connected: b")] && state.brokerIs("connected: b") == [])
    #expect(
      state.lines(width: 80).prefix(5) == [
        "broker  connected: b",
        "bridge main  online  1.2.3  up 3 h 12 min  15.9 MB  2 waiting  mqtt://b:1883", "",
        "Garden plug  offline  power_plug  plug",
        "  board tcp not connected, 4 connects, 1 failure: closed by the board",
      ])
  }

  @Test mutating func `a value by itself is news of a device that is known to have it`() {
    _ = receive("home/plug", #"{"power":null}"#)
    #expect(receive("home/plug/power", "ON") == ["plug power ON"])
    #expect(receive("home/plug/other", "ON") == [])
    #expect(receive("home/plug/power/set", "OFF") == [])
  }

  @Test mutating func `a device whose topics are cleared is gone`() {
    _ = receive("home/plug/availability", "online")
    #expect(receive("home/plug/availability", "") == ["plug is gone"])
    #expect(receive("home/plug/availability", "") == [] && state.devices == [])
  }

  @Test func `the rate is that of the last whole seconds`() {
    var rate = MessageRate()
    for number in 0..<90 { rate.count(at: .milliseconds(number * 100)) }
    #expect(rate.text(at: .seconds(9)) == "10/s")
    #expect(rate.text(at: .milliseconds(13_500)) == "5.6/s")
    #expect(rate.text(at: .seconds(18)) == "" && rate.text(at: .seconds(1000)) == "")
    rate.count(at: .seconds(1000))
    #expect(rate.text(at: .milliseconds(1001_200)) == "0.1/s")
  }

  @Test(arguments: [
    ("home", "x"), ("home/", ""), ("homes/plug", #"{"power":"ON"}"#), ("house/plug", #"{"power":"ON"}"#),
    ("home/plug", "not JSON"), ("home/plug", "[1]"),
    ("home/plug/power/set", "ON"), ("home/bridge/main/devices", "[]"), ("home/bridge", "{}"),
    ("home/bridge/main/devices", #"{"devices":[1,{"name":"x"},{"id":3}]}"#), ("home/bridge//state", "online"),
    ("home/bridge/main/health", #"{"devices":{"plug":1}}"#), ("home/plug/power", "ON"),
  ])
  mutating func `what is no state shows nothing`(topic: String, payload: String) {
    #expect(receive(topic, payload) == [])
  }

  @Test mutating func `whoever invents devices, values and bridges fills no memory`() {
    for number in 0...ShownState.mostDevices {
      _ = receive("home/plug\(number)/availability", "online")
      _ = receive("home/plug0", #"{"value\#(number)":1}"#)
      _ = receive("home/bridge/b\(number)/state", "online")
    }
    #expect(state.devices.count == ShownState.mostDevices && state.bridges.count == ShownState.mostBridges)
    #expect(state.devices[0].values.count == ShownState.mostDevices)
    _ = receive("home/plug0", #"{"value0":"\#(String(repeating: "x", count: 20_000))"}"#)
    #expect(state.devices[0].values[0].text.count == ShownState.longestText)
    let left = 1 + 1 + ShownState.mostDevices + 1 - ShownState.mostBridges
    #expect(state.lines(width: 80).contains("more than is shown: \(left) messages left out"))
  }

  @Test mutating func `the screen keeps to its width and its controls`() {
    _ = receive("home/plug", #"{"schedule":["\#(String(repeating: "x", count: 300))"],"name":"\u001b[2J"}"#)
    _ = receive("home/plug/availability", "online")
    let lines = state.lines(width: 60)
    #expect(lines.first == "plug  online")
    #expect(lines.allSatisfy { $0.count <= 60 && !$0.contains("\u{1B}") })
    #expect(lines.contains { $0.hasPrefix("  schedule  ") && $0.contains("...") && $0.hasSuffix("07:33:29") })
  }

  @Test func `an example is a line for a shell`() {
    #expect(
      DemoExample(topic: "plug/power/set", payload: "ON").command(port: 40001, base: "home")
        == "mosquitto_pub -p 40001 -t home/plug/power/set -m ON")
    #expect(
      DemoExample(topic: "plug/schedule/put", payload: #"{"a": 1}"#).command(port: 1, base: "home")
        == #"mosquitto_pub -p 1 -t home/plug/schedule/put -m '{"a": 1}'"#)
  }
}
