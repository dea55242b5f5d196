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

  @Test(arguments: [
    ("home", "x"), ("house/plug", #"{"power":"ON"}"#), ("home/plug", "not JSON"), ("home/plug", "[1]"),
    ("home/plug/power/set", "ON"), ("home/bridge/main/state", "online"), ("home/bridge/main/devices", "[]"),
  ])
  mutating func `what is no state shows nothing`(topic: String, payload: String) {
    #expect(receive(topic, payload) == [])
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
