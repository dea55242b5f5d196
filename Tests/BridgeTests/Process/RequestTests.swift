import DeviceModel
import JSON
import Simulation
import TestSupport
import Testing

struct `Requests to the bridge` {
  @Test func `health tells how the bridge and its links are`() async throws {
    try await withHouse { house in
      try await house.startAndBecomeQuiet()
      let data = try #require(try await house.request("health")["data"])
      #expect(try #require(data["uptime"]?.integer) >= 0)
      #expect(try #require(data["memory"]?["resident_kb"]?.integer) > 1000)
      #expect(data["mqtt"]?["connected"] == true)
      #expect(data["mqtt"]?["waiting"] == 0)
      #expect(data["devices"]?["plug"]?["available"] == true)
      let link = try #require(data["devices"]?["plug"]?["links"]?.list.first)
      #expect(try #require(link["connects"]?.integer) >= 1)
      #expect(try #require(link["bytes_received"]?.integer) >= 294)
      #expect(link["last_error"] == .unknown)
    }
  }

  @Test func `log_level changes how much is told, and refuses other words`() async throws {
    try await withHouse { house in
      try await house.startAndSettle()
      let seen = house.recorder.messages.count
      #expect(try await house.request("log_level", #"{"level":"debug"}"#)["data"]?["level"] == "debug")
      try await house.message(on: "bridge/main/log", from: seen) { $0.text.contains("\"debug\"") }
      try await house.message(on: "bridge/main/info", from: seen) { $0.text.contains("\"debug\"") }
      for text in [#"{"level":"loud"}"#, "{}", "", #"{"level":3}"#] {
        let answer = try await house.request("log_level", text)
        #expect(answer["status"] == "error")
        #expect(try #require(answer["error"]?.text).contains("warning"))
      }
    }
  }

  @Test func `an unknown one is answered with the nearest name`() async throws {
    try await withHouse { house in
      try await house.startAndSettle()
      let answer = try await house.request("helth")
      #expect(answer["status"] == "error")
      #expect(try #require(answer["error"]?.text).contains("did you mean 'health'"))
      let deep = try await house.request("device/refrehs", "{}")
      #expect(try #require(deep["error"]?.text).contains("did you mean 'device/refresh'"))
    }
  }

  @Test func `device/refresh names what is missing, and fails when the board is away`() async throws {
    try await withHouse { house in
      try await house.startAndSettle()
      #expect(try #require(try await house.request("device/refresh")["error"]?.text).contains("'device'"))
      let near = try await house.request("device/refresh", #"{"device":"plgu"}"#)
      #expect(try #require(near["error"]?.text).contains("did you mean 'plug'"))
      try await house.plug.whenIdle { $0.faults.reachability = .refuses }
      let answer = try await house.request("device/refresh", #"{"device":"plug","transaction":7}"#)
      #expect(answer["status"] == "error")
      #expect(answer["transaction"] == 7)
    }
  }

  @Test(arguments: [#""a""#, "7", "1.5", "null", #"{"b":[1,2]}"#])
  func `echo their transaction as it is`(transaction: String) async throws {
    try await withHouse { house in
      try await house.startAndSettle()
      let expected = try JSON.parse(transaction)
      for name in ["health", "nonsense", "log_level"] {
        let answer = try await house.request(name, #"{"transaction":\#(transaction)}"#)
        #expect(answer["transaction"] == expected)
      }
    }
  }

  @Test(arguments: ["{", "[]", "7", #"{"a":1,"a":2}"#, "\u{1}"])
  func `that are no JSON objects are answered with what is wrong`(text: String) async throws {
    try await withHouse { house in
      try await house.startAndSettle()
      let answer = try await house.request("health", text)
      #expect(answer["status"] == "error")
      #expect(try #require(answer["error"]?.text).contains("JSON"))
    }
  }

  @Test func `are answered on MQTT 5's response topic too, with the correlation data`() async throws {
    try await withHouse { house in
      try await house.startAndSettle()
      for (name, status) in [("health", "ok"), ("nonsense", "error")] {
        let seen = house.recorder.messages.count
        try await house.recorder.publish(
          "", to: "sketch2mqtt/bridge/main/request/\(name)", responseTopic: "my/answers",
          correlationData: [0, 1, 0xFF])
        let answer = try await house.recorder.message(on: "my/answers", from: seen, within: .patience)
        #expect(answer.correlationData == [0, 1, 0xFF])
        #expect(!answer.isRetained)
        #expect(try answer.json["status"] == .text(status))
        try await house.message(on: "bridge/main/response/\(name)", from: seen)
      }
    }
  }

  @Test func `cannot be made to answer themselves`() async throws {
    try await withHouse { house in
      try await house.startAndSettle()
      let seen = house.recorder.messages.count
      for topic in ["sketch2mqtt/bridge/main/request/health", "no/+/wildcards/#"] {
        try await house.recorder.publish(
          "", to: "sketch2mqtt/bridge/main/request/health", responseTopic: topic)
      }
      _ = try await house.request("log_level", #"{"level":"info"}"#)
      _ = try await house.request("log_level", #"{"level":"info"}"#)
      #expect(house.recorder.messages.all[seen...].count { $0.topic.hasSuffix("request/health") } <= 3)
    }
  }
}
