import DeviceModel
import EventLoop
import Foundation
import JSON
import Simulation
import TestSupport
import Testing

/// A garage door behind a simulated BlueZ, with two persons who may open it.
@Loop final class GarageRadio {
  nonisolated static let address = "C0:DE:00:00:00:07"
  nonisolated static let anna = "48151"
  nonisolated static let ben = "0x1F7"
  nonisolated static let master = "9O9o9"

  nonisolated let bus: PrivateBus
  let bluez: SimulatedBlueZ
  let door = GarageBoard(
    GarageSketch(master: master, pins: [anna, ben], closingInterval: .seconds(5), travelTime: .seconds(1)))
  let radio: SimulatedBoard

  init() async throws {
    bus = try await PrivateBus.start()
    bluez = SimulatedBlueZ(busAddress: bus.address, timing: SimulatedBlueZTiming().faster(by: 4))
    radio = bluez.add(door, at: Self.address)
    try await bluez.start()
  }

  /// How often the relay pulsed to open.
  var openings: Int { door.received.count { $0.suffix(3).elementsEqual("O=1".utf8) } }

  /// What has left the bridge is on its way yet: it reaches the board a moment later.
  func reached(_ count: Int) async throws {
    for _ in 0..<6000 where openings < count { try await Loop.sleep(for: .milliseconds(10)) }
    #expect(openings == count)
  }

  func close() async {
    door.powerOff()
    bluez.stop()
    await bus.stop()
  }
}

/// Runs a test in a house with a garage; the device is `garage`.
func withGarage(_ body: @escaping @Sendable (House, GarageRadio) async throws -> Void) async throws {
  #expect(LoopThread.started)
  let radio = try await GarageRadio()
  var options = House.Options()
  options.plugs = 0
  do {
    try await withHouse(
      options,
      configured: { text in
        text.top = ["bluetooth: { bus: \"\(radio.bus.address)\" }", "log_level: debug"]
        text.devices = [
          """
          { name: Garage, kind: garage_door, link: { ble: "\(GarageRadio.address)" }, options: { \
          persons: [ { name: Anna, pin: \(GarageRadio.anna), owntracks: anna/phone }, \
          { name: Ben, pin: \(GarageRadio.ben), owntracks: ben/phone } ], \
          open_as: Anna, master_pin: \(GarageRadio.master), closing_interval: 5s, travel_time: 1s } }
          """
        ]
      },
      { house in try await body(house, radio) })
    await radio.close()
  } catch {
    await radio.close()
    throw error
  }
}

extension House {
  func startWithGarage() async throws {
    let seen = recorder.messages.count
    try start()
    try await message(on: "bridge/main/state", from: seen) { $0.text == "online" }
    try await message(on: "garage/availability", from: seen) { $0.text == "online" }
  }

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

  func garageEvent(_ type: String, from seen: Int = 0) async throws -> Value {
    try await message(on: "garage/event", from: seen) { $0.text.contains("\"event_type\":\"\(type)\"") }.json
  }
}

extension House {
  /// Looks for secrets in all that the bridge published, logged and left on disk.
  func expectNothing(of secrets: [String]) throws {
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
