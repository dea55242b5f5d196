import EventLoop
import Foundation
import FoundationNetworking
import Simulation
import TestSupport
import Testing

/// The flows of `examples/node-red`, carried out by `flowrun.js`, which is no Node-RED but uses its MQTT client.
struct NodeREDExampleTests {
  init() { _ = LoopThread.started }

  /// A flow at work in a house, as the user owner.
  @Loop private static func start(_ flow: String, in house: ExampleHouse) async throws -> ChildProcess {
    let root = Program.packageRoot
    let process = try ChildProcess(
      "/usr/bin/env",
      [
        "node", root.appending(path: "Tests/ExampleTests/NodeRED/flowrun.js").path,
        "mqtt://127.0.0.1:\(house.broker.port)", "--user", "owner", "--password",
        try #require(house.broker.passwords["owner"]),
        root.appending(path: "examples/node-red/\(flow)").path,
      ],
      // Where Debian keeps mqtt.js, for a node that is not Debian's own.
      environment: ["PATH": "/usr/bin:/bin", "NODE_PATH": "/usr/share/nodejs", "TZ": "Europe/Berlin"])
    try await process.output.first { $0 == #"{"ready":true}"# }
    return process
  }

  private static func end(_ flow: ChildProcess) async throws {
    #expect(!flow.output.all.contains { $0.hasPrefix(#"{"error""#) }, "\(flow.output.all)")
    try await flow.terminate()
  }

  @Test @Loop func `the page edits the plug's schedule and tells what was refused`() async throws {
    try await ExampleHouse.with { house in
      let flow = try await Self.start("plug-schedule.json", in: house)
      let line = try await flow.output.first { $0.hasPrefix(#"{"http":"#) }
      let port = try #require(line.firstMatch(of: /\d+/)?.0)
      let address = "http://127.0.0.1:\(port)/garden_plug"
      @Loop func page(with part: String) async throws -> String {
        var text = ""
        _ = try await eventually {
          text = try await Self.fetch(address)
          return text.contains(part)
        }
        return text
      }
      #expect(try await page(with: "Garden plug: OFF").contains("Garden plug: OFF, automatic"))

      let before = house.owner.messages.count
      // Half past six of a summer day in Berlin.
      let sent = try await Self.fetch(
        "\(address)/put", form: "name=%3Cb%3E&start=2097-05-01T06:30&length=30&period=1440")
      #expect(sent.contains("Sent; one moment"))
      let state = try await house.message("garden_plug", from: before) { $0.contains(#""name":"<b>""#) }
      #expect(state.contains(#""start":"2097-05-01T04:30:00Z","length":30,"period":1440"#))
      let listed = try await page(with: "&#60;b&#62;")
      #expect(listed.contains("<td>30 min<td>every 1440 min") && !listed.contains("<b>"))

      _ = try await Self.fetch("\(address)/delete", form: "name=nothing")
      #expect(
        try await page(with: "Refused").contains("Refused: there is no activation named &#39;nothing&#39;"))
      _ = try await Self.fetch("\(address)/delete", form: "name=%3Cb%3E")
      #expect(try await !page(with: "Repeated<th>\n\n</table>").contains("&#60;b&#62;"))
      _ = try await Self.fetch("\(address)/power", form: "power=ON")
      #expect(try await page(with: "Garden plug: ON").contains("Garden plug: ON, manual"))
      try await Self.end(flow)
    }
  }

  private nonisolated static func fetch(_ address: String, form: String? = nil) async throws -> String {
    var request = URLRequest(url: try #require(URL(string: address)))
    if let form {
      request.httpMethod = "POST"
      request.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
      request.httpBody = Data(form.utf8)
    }
    return String(decoding: try await URLSession.shared.data(for: request).0, as: UTF8.self)
  }

  @Test @Loop func `a jammed door is told once for each jam`() async throws {
    try await ExampleHouse.with { house in
      let flow = try await Self.start("door-alert.json", in: house)
      let alerts = { house.owner.messages.all.filter { $0.topic == "alerts/pet_door" }.map(\.text) }
      for jam in 1...2 {
        house.door.environment.isLatchJammed = true
        let before = house.owner.messages.count
        try await house.owner.publish("LOCK", to: "sketch2mqtt/pet_door/lock/set")
        try await house.owner.messages.first(from: before) { $0.topic == "alerts/pet_door" }
        try await house.owner.publish("", to: "sketch2mqtt/pet_door/get")
        house.door.environment.isLatchJammed = false
        try await house.message("pet_door", from: before) { $0.contains(#""lock":"LOCKED""#) }
        try await house.owner.publish("UNLOCK", to: "sketch2mqtt/pet_door/lock/set")
        try await house.message("pet_door", from: before) { $0.contains(#""lock":"UNLOCKED""#) }
        #expect(alerts().count == jam)
        #expect(alerts().last?.hasPrefix("The pet door is jammed") == true)
      }
      try await Self.end(flow)
    }
  }

  @Test @Loop func `lines of a uart become numbers on topics of their own`() async throws {
    try await ExampleHouse.with { house in
      let flow = try await Self.start("uart-parser.json", in: house)
      house.say("temperature:-3.5;humidity:40")
      house.say("temperature:warm")
      let notUnderstood =
        #"{"debug":{"name":"Not understood","topic":"sketch2mqtt/weather/rx","value":"temperature:warm"}}"#
      try await flow.output.first { $0 == notUnderstood }
      for (topic, number) in [("temperature", "-3.5"), ("humidity", "40")] {
        let message = try await house.owner.messages.first { $0.topic == "weather/\(topic)" }
        #expect(message.text == number && message.isRetained)
      }
      flow.send(SIGUSR2)
      try await house.message("weather/tx") { $0 == "?" }
      try await house.weather.wait { !$0.received.isEmpty }
      #expect(house.weather.received == [Array("?\n".utf8)])
      try await Self.end(flow)
    }
  }

  @Test(arguments: ["broken.json", "unknown-node.json"])
  func `a flow that cannot be carried out is an error`(name: String) async throws {
    let directory = try TestSupport.TemporaryDirectory()
    let text = name == "broken.json" ? "[" : #"[{"id":"1","type":"exec","name":"x","wires":[]}]"#
    let result = try await Program.run(
      "node",
      [
        Program.packageRoot.appending(path: "Tests/ExampleTests/NodeRED/flowrun.js").path,
        "mqtt://127.0.0.1:1", try directory.write(text, to: name),
      ],
      environment: ["PATH": "/usr/bin:/bin", "NODE_PATH": "/usr/share/nodejs"])
    #expect(result.status == 2 && result.output.hasPrefix(#"{"error""#))
  }
}
