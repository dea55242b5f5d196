import DeviceModel
import JSON
import TestSupport
import Testing

struct `Topics of others that an adapter follows` {
  static func probe(_ name: String = "Probe", _ filters: String...) -> String {
    let list = filters.map { "'\($0)'" }.joined(separator: ", ")
    return "{ name: \(name), kind: probe, options: { follow: [\(list)] } }"
  }

  @Test func `bring what is said on them to all who follow, each by its own filter`() async throws {
    try await withLodge([
      Self.probe("Probe", "house/+/level", "house/#"), Self.probe("Other", "house/+/level", "elsewhere"),
    ]) { lodge in
      try await lodge.publish("7", to: "house/hall/level")
      try await lodge.publish("over", to: "elsewhere")
      try await lodge.publish("over", to: "house")
      let heard = try await lodge.heard("1 house: over")
      #expect(
        heard.filter { $0.contains("hall") }.sorted() == ["0 house/hall/level: 7", "1 house/hall/level: 7"])
      let other = try await lodge.heard(by: "other", "1 elsewhere: over")
      #expect(other.filter { $0.contains("house") } == ["0 house/hall/level: 7"])
    }
  }

  @Test func `with MQTT 5 replay nothing, and show no flag on what comes live`() async throws {
    try await withLodge([]) { lodge in
      try await lodge.publish("old", to: "house/door", retain: true)
      lodge.text.devices = [Self.probe("Probe", "house/#")]
      #expect(lodge.reload() == nil)
      _ = try await lodge.request("health")
      try await lodge.publish("new", to: "house/door", retain: true)
      let heard = try await lodge.heard("0 house/door: new")
      #expect(!heard.contains { $0.contains("old") })
    }
  }

  @Test func `with MQTT 3.1.1 replay, with the flag`() async throws {
    try await withLodge([], mqtt: ["version: 3.1.1"]) { lodge in
      try await lodge.publish("old", to: "house/door", retain: true)
      lodge.text.devices = [Self.probe("Probe", "house/#")]
      #expect(lodge.reload() == nil)
      try await lodge.heard("0 retained house/door: old")
      try await lodge.publish("new", to: "house/door")
      try await lodge.heard("0 house/door: new")
    }
  }

  @Test(arguments: ["5", "3.1.1"])
  func `that are the bridge's own too change nothing about commands`(version: String) async throws {
    try await withLodge(
      [
        Self.probe("Probe"),
        Self.probe(
          "Spy", "sketch2mqtt/#", "sketch2mqtt/probe/set", "sketch2mqtt/probe/+/set", "homeassistant/status"),
      ], mqtt: ["version: \(version)"]
    ) { lodge in
      try await lodge.order(#"{"random":1}"#)
      try await lodge.heard(by: "spy") { $0 == #"0 sketch2mqtt/probe/do/set: {"random":1}"# }
      try await lodge.heard(by: "spy") { $0 == #"2 sketch2mqtt/probe/do/set: {"random":1}"# }
      try await lodge.order(#"{"random":2}"#)
      let heard = try await lodge.heard("random 2")
      #expect(heard.count { $0 == "random 1" } == 1)
      let answer = try await lodge.request("probe/echo/twice", #"{"device":"probe"}"#)
      #expect(answer["status"] == "ok")
      _ = try await lodge.request("health")
      let requests = try await lodge.heard("request probe/echo/twice")
      #expect(requests.count { $0 == "request probe/echo/twice" } == 1)
      #expect(lodge.recorder.messages.all.count { $0.topic.hasSuffix("response/probe/echo/twice") } == 1)
    }
  }

  @Test func `that are command topics do not let a retained command through`() async throws {
    try await withLodge([Self.probe("Probe"), Self.probe("Spy", "sketch2mqtt/#")]) { lodge in
      try await lodge.publish(#"{"random":1}"#, to: "sketch2mqtt/probe/do/set", retain: true)
      try await lodge.recorder.message(on: "sketch2mqtt/bridge/main/event") {
        Failure($0)?.reason == "retained"
      }
      try await lodge.order(#"{"random":2}"#)
      #expect(!(try await lodge.heard("random 2")).contains("random 1"))
    }
  }

  @Test func `are left when the last who follows them goes, and come back with the next`() async throws {
    try await withLodge([Self.probe("Probe", "house/#"), Self.probe("Other", "house/#")]) { lodge in
      lodge.text.devices = [Self.probe("Other", "house/#")]
      #expect(lodge.reload() == nil)
      try await lodge.publish("1", to: "house/a")
      try await lodge.heard(by: "other", "0 house/a: 1")
      lodge.text.devices = [Self.probe("Other", "house/b")]
      #expect(lodge.reload() == nil)
      _ = try await lodge.request("health")
      try await lodge.publish("2", to: "house/a")
      try await lodge.publish("3", to: "house/b")
      let heard = try await lodge.heard(by: "other", "0 house/b: 3")
      #expect(!heard.contains { $0.contains("house/a") })
      let health = try await lodge.request("health")
      let received = try #require(health["data"]?["mqtt"]?["received"]?.integer)
      try await lodge.publish("4", to: "house/a")
      let later = try await lodge.request("health")
      #expect(later["data"]?["mqtt"]?["received"]?.integer == received + 1)
    }
  }

  @Test func `with more than 256 kB are not looked at`() async throws {
    try await withLodge([Self.probe("Probe", "house/#")]) { lodge in
      try await lodge.publish(String(repeating: "a", count: 256 * 1024 + 1), to: "house/a")
      try await lodge.publish(String(repeating: "b", count: 256 * 1024), to: "house/b")
      let heard = try await lodge.heard { $0.hasPrefix("0 house/b: bbb") }
      #expect(!heard.contains { $0.contains("house/a") })
      #expect(lodge.log.all.contains { $0.hasPrefix("warning") && $0.contains("house/a") })
    }
  }

  @Test func `that are no topic filters are named, and the rest works`() async throws {
    try await withLodge([Self.probe("Probe", "house/#/a", "house/b")]) { lodge in
      try await lodge.publish("1", to: "house/b")
      try await lodge.heard("1 house/b: 1")
      #expect(lodge.log.all.contains { $0.hasPrefix("error: probe") && $0.contains("house/#/a") })
    }
  }
}
