import DeviceModel
import EventLoop
import Foundation
import JSON
import Simulation
import TestSupport
import Testing

/// A garage door on the air, with two persons who may open it.
typealias GarageRadio = OnAir<GarageBoard>

extension GarageRadio {
  nonisolated static var anna: String { "48151" }
  nonisolated static var ben: String { "0x1F7" }
  nonisolated static var master: String { "9O9o9" }

  var door: GarageBoard { board }

  /// How often the relay was told to open.
  var openings: Int { Self.openings(door) }

  private static func openings(_ door: GarageBoard) -> Int {
    door.received.count { $0.suffix(3).elementsEqual("O=1".utf8) }
  }

  /// What has left the bridge is on its way yet: it reaches the board a moment later.
  func reached(_ count: Int) async throws {
    try await door.wait { Self.openings($0) >= count }
    #expect(openings == count)
  }
}

/// Runs a test in a house with a garage; the device is `garage`.
func withGarage(_ body: (House, GarageRadio) async throws -> Void) async throws {
  try await withBoard(
    {
      GarageBoard(
        GarageSketch(
          master: GarageRadio.master, pins: [GarageRadio.anna, GarageRadio.ben],
          closingInterval: .seconds(5), travelTime: .seconds(1)))
    },
    device: """
      { name: Garage, kind: garage_door, link: { ble: "\(Air.boardAddress)" }, options: { \
      persons: [ { name: Anna, pin: \(GarageRadio.anna), owntracks: anna/phone }, \
      { name: Ben, pin: \(GarageRadio.ben), owntracks: ben/phone } ], \
      open_as: Anna, master_pin: \(GarageRadio.master), closing_interval: 5s, travel_time: 1s } }
      """, top: ["log_level: debug"], body)
}

extension House {
  func startWithGarage() async throws { try await start(awaiting: "garage") }

  /// A transition as OwnTracks sends it; by another client than the recorder when the broker was away.
  func phone(
    _ event: String, _ region: String, person: String = "anna", after seconds: Int64 = 0,
    retain: Bool = false, by client: MQTTRecorder? = nil
  ) async throws {
    let time = Int64(Date().timeIntervalSince1970) + seconds
    try await (client ?? recorder).publish(
      """
      {"_type":"transition","event":"\(event)","desc":"\(region)","tst":\(time),"wtst":1,"acc":20,"lat":52.1,\
      "lon":13.2,"t":"c","tid":"an"}
      """, to: "owntracks/\(person)/phone/event", retain: retain)
  }

  func garage(from seen: Int = 0, _ matches: @escaping @Sendable (RecordedMessage) -> Bool) async throws {
    try await message(on: "garage", from: seen, where: matches)
  }

  /// Awaits that the door is told to go through these positions, one after the other.
  func garageDoor(from seen: Int, goes way: String...) async throws {
    var seen = seen
    for position in way {
      try await garage(from: seen) { $0.state("door")?.text == position }
      let rest = recorder.messages.all[seen...]
      let found = rest.firstIndex {
        $0.topic == "sketch2mqtt/garage" && $0.state("door")?.text == position
      }
      seen = try #require(found) + 1
    }
  }

  func garageEvent(_ type: String, from seen: Int = 0) async throws -> Value {
    try await message(on: "garage/event", from: seen) { $0.text.contains("\"event_type\":\"\(type)\"") }.json
  }
}

extension House {
  /// Five wrong requests about PINs in a row, after which none is taken.
  func expectManagementLocksOut() async throws {
    for _ in 0..<5 {
      let wrong = try await request(
        "garage/pin/add", #"{"device":"garage","name":"Dora","pin":"\#(GarageRadio.anna)"}"#)
      #expect(wrong["status"] == "error")
    }
    _ = try await garageEvent("locked_out")
    let locked = try await request("garage/pin/list", #"{"device":"garage"}"#)
    #expect(locked["status"] == "error")
  }

  /// Looks for secrets in all that the bridge published (states, discovery, answers, captures), logged and left on disk,
  /// as they are, in hexadecimal digits and in base64.
  func expectNothing(of plain: [String]) throws {
    let secrets = plain.flatMap { secret in
      let hexadecimal = secret.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
      return [secret, hexadecimal, hexadecimal.uppercased(), Data(secret.utf8).base64EncodedString()]
    }
    for topic in ["homeassistant/", "sketch2mqtt/garage", "sketch2mqtt/bridge/main/response/"] {
      #expect(recorder.messages.all.contains { $0.topic.hasPrefix(topic) }, "nothing was looked at there")
    }
    for message in recorder.messages.all where !message.topic.contains("/request/") {
      for secret in secrets where message.text.contains(secret) {
        Issue.record("\(message.topic) holds \(secret)")
      }
    }
    for line in log {
      for secret in secrets where line.contains(secret) { Issue.record("\(secret) in: \(line)") }
    }
    let state = folder("state")
    let files = try #require(FileManager.default.enumerator(atPath: state)).compactMap { $0 as? String }
    var count = 0
    for file in files {
      guard let data = FileManager.default.contents(atPath: "\(state)/\(file)") else { continue }
      count += 1
      let text = String(decoding: data, as: UTF8.self)
      for secret in secrets where text.contains(secret) { Issue.record("\(file) holds \(secret)") }
    }
    #expect(count > 0)
  }
}

extension House {
  /// From now on all that the adapter is told and sends is told on a topic, as a person who looks for a fault wants it.
  func captureGarage() async throws {
    #expect(try await request("capture", #"{"device":"garage","seconds":600}"#)["status"] == "ok")
  }

  /// There is something in the capture that could have held a secret.
  func expectCaptured() throws {
    let lines = recorder.messages.all.filter { $0.text.contains("\"hex\":") }
    #expect(lines.count > 3)
    #expect(lines.contains { $0.text.contains("2a2a2a2a2a") }, "what was sent, its length alone")
  }
}
