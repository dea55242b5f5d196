import DeviceModel
import Foundation
import JSON
import TestSupport
import Testing

struct `Requests that devices answer` {
  static let probes = ["{ name: Probe, kind: probe }", "{ name: Ear & co, id: ear, kind: ear_probe }"]

  @Test(arguments: ["probe", "Probe"])
  func `reach the device that they name by id or name, and bring its answer once`(name: String) async throws {
    try await withLodge(Self.probes) { lodge in
      let answer = try await lodge.request(
        "probe/echo/twice", #"{"device":"\#(name)","transaction":[1],"more":{"a":1}}"#)
      #expect(answer["status"] == "ok")
      #expect(answer["transaction"] == [1])
      #expect(answer["data"]?["more"]?["a"] == 1)
      _ = try await lodge.request("health")
      #expect(lodge.recorder.messages.all.count { $0.topic.hasSuffix("response/probe/echo/twice") } == 1)
    }
  }

  @Test func `are answered on MQTT 5's response topic too`() async throws {
    try await withLodge(Self.probes) { lodge in
      try await lodge.recorder.publish(
        #"{"device":"probe"}"#, to: "sketch2mqtt/bridge/main/request/probe/echo/twice",
        responseTopic: "my/answers", correlationData: [7])
      let answer = try await lodge.recorder.message(on: "my/answers")
      #expect(answer.correlationData == [7])
      #expect(try answer.json["status"] == "ok")
    }
  }

  @Test func `that the device refuses are answered in its words`() async throws {
    try await withLodge(Self.probes) { lodge in
      let answer = try await lodge.request("probe/refuse", #"{"device":"probe"}"#)
      #expect(answer["status"] == "error")
      #expect(answer["error"] == "refused in words")
    }
  }

  @Test(arguments: [
    ("", "'device' is missing"), ("{}", "'device' is missing"), (#"{"device":7}"#, "'device' is missing"),
    (#"{"device":"prob"}"#, "did you mean 'probe'"), (#"{"device":"Ear & co"}"#, "ear is a ear_probe"),
    ("[]", "JSON object"),
  ])
  func `that name no device, or one of another kind, are told so`(text: String, error: String) async throws {
    try await withLodge(Self.probes) { lodge in
      let answer = try await lodge.request("probe/echo/twice", text)
      #expect(answer["status"] == "error")
      #expect(try #require(answer["error"]?.text).contains(error))
    }
  }

  @Test func `with a name that is nearly right are told the right one`() async throws {
    try await withLodge(Self.probes) { lodge in
      let answer = try await lodge.request("probe/echo/twise", #"{"device":"probe"}"#)
      #expect(try #require(answer["error"]?.text).contains("did you mean 'probe/echo/twice'"))
    }
  }

  @Test func `that are retained do nothing`() async throws {
    try await withLodge(Self.probes) { lodge in
      try await lodge.publish(
        #"{"device":"probe"}"#, to: "sketch2mqtt/bridge/main/request/probe/echo/twice", retain: true)
      try await lodge.recorder.message(on: "sketch2mqtt/bridge/main/event") {
        Failure($0)?.reason == "retained"
      }
      _ = try await lodge.request("health")
      #expect(!lodge.recorder.messages.all.contains { $0.topic.hasSuffix("response/probe/echo/twice") })
    }
  }

  @Test func `are answered when the device goes before it has`() async throws {
    try await withLodge(Self.probes) { lodge in
      let seen = lodge.recorder.messages.count
      try await lodge.publish(
        #"{"device":"probe"}"#, to: "sketch2mqtt/bridge/main/request/probe/silent")
      try await lodge.heard("request probe/silent")
      lodge.text.devices = []
      #expect(lodge.reload() == nil)
      let answer = try await lodge.recorder.message(
        on: "sketch2mqtt/bridge/main/response/probe/silent", from: seen)
      #expect(try answer.json["error"] == "the bridge leaves probe")
    }
  }

  @Test func `are answered when the device never does`() async throws {
    try await withLodge(Self.probes) { lodge in
      let answer = try await lodge.request("probe/silent", #"{"device":"probe"}"#)
      #expect(answer["error"] == "probe did not answer in time")
    }
  }

  @Test func `fail when the board is away`() async throws {
    let port = FreePort.take()
    try await withLodge([
      "{ name: Probe, kind: board_probe, link: { tcp: \"127.0.0.1:\(port)\" } }"
    ]) { lodge in
      let answer = try await lodge.request("probe/echo/twice", #"{"device":"probe"}"#)
      #expect(try #require(answer["error"]?.text).contains("probe"))
      #expect(answer["status"] == "error")
    }
  }
}
