import DeviceModel
import Foundation
import Simulation
import TestSupport
import Testing

/// What a change of the configuration leaves on the broker, besides what is wanted: nothing.
enum Change: CaseIterable, CustomTestStringConvertible {
  case removed, renamed, renamedShownOnly, replacedByOther, componentsForm, noDiscovery, otherPrefix, values,
    both, allRemoved

  var testDescription: String { "\(self)" }

  /// Two plugs before; the second is what changes.
  func apply(to text: inout ConfigurationText) {
    switch self {
    case .removed: text.devices.removeLast()
    case .allRemoved: text.devices = []
    case .renamed: text.devices[1] = text.devices[1].replacing("name: Plug 2", with: "name: Heater")
    case .renamedShownOnly:
      text.devices[1] = text.devices[1].replacing("name: Plug 2", with: "name: Heater, id: plug_2")
    case .replacedByOther:
      text.devices[1] = text.devices[1].replacing("poll: 1s", with: "poll: 2s")
    case .componentsForm: text.homeAssistant = ["discovery: components"]
    case .noDiscovery: text.homeAssistant = ["discovery: off"]
    case .otherPrefix: text.homeAssistant = ["prefix: other/place"]
    case .values: text.top = ["output: values"]
    case .both: text.top = ["output: both"]
    }
  }

  func topics(in house: House) -> Set<String> {
    let plugs = ["plug_1", "plug_2"]
    return switch self {
    case .removed: house.topics(of: ["plug_1"])
    case .allRemoved: house.topics(of: [])
    case .renamed: house.topics(of: ["plug_1", "heater"])
    case .renamedShownOnly, .replacedByOther: house.topics(of: plugs)
    case .componentsForm: house.topics(of: plugs, form: .components)
    case .noDiscovery: house.topics(of: plugs, form: .off)
    case .otherPrefix: house.topics(of: plugs, prefix: "other/place")
    case .values: house.topics(of: plugs, output: "values")
    case .both: house.topics(of: plugs, output: "both")
    }
  }
}

/// How a change reaches the bridge.
enum Way: CaseIterable, CustomTestStringConvertible {
  case whileOff, whileKilled, whileOffWithoutStateFile, signal, request

  var testDescription: String { "\(self)" }
}

struct `What is gone from the configuration` {
  private func withTwoPlugs(_ body: (House) async throws -> Void) async throws {
    var options = House.Options()
    options.plugs = 2
    try await withHouse(options) { house in
      try await house.startAndSettle()
      try await house.retainedTopics(become: house.topics())
      try await body(house)
    }
  }

  @Test(arguments: Change.allCases, Way.allCases)
  func `is gone from the broker`(change: Change, way: Way) async throws {
    try await withTwoPlugs { house in
      switch way {
      case .whileOff: try await house.bridge.terminate()
      case .whileKilled: try await house.bridge.kill9()
      case .whileOffWithoutStateFile:
        try await house.bridge.terminate()
        try FileManager.default.removeItem(atPath: house.stateFile)
      case .signal, .request: break
      }
      try house.configure(change.apply)
      switch way {
      case .whileOff, .whileKilled, .whileOffWithoutStateFile: try house.start()
      case .signal: try house.bridge.send(SIGHUP)
      case .request: #expect(try await house.request("reload")["status"] == "ok")
      }
      try await house.retainedTopics(become: change.topics(in: house))
      if change != .noDiscovery {
        let seen = house.recorder.messages.count
        try await house.recorder.publish("online", to: "homeassistant/status")
        try await house.message(on: "bridge/main/state", from: seen) { $0.text == "online" }
        #expect(Set(try await house.retained().keys) == change.topics(in: house))
      }
    }
  }

  @Test(arguments: [true, false])
  func `is gone from the broker when the base topic changes`(hasStateFile: Bool) async throws {
    try await withTwoPlugs { house in
      try await house.bridge.terminate()
      try house.configure { $0.mqtt.append("base_topic: house/boards") }
      if !hasStateFile {
        // Nothing tells the bridge of a base topic that is written nowhere any more.
        try FileManager.default.removeItem(atPath: house.stateFile)
      }
      try house.start()
      let new = house.topics(base: "house/boards")
      try await house.retainedTopics(become: hasStateFile ? new : new.union(house.topics()))
    }
  }

  @Test func `is gone from the broker although that was away at the reload and the bridge died then`()
    async throws
  {
    var options = House.Options()
    options.plugs = 2
    options.broker.persistence = true
    try await withHouse(options) { house in
      try await house.startAndSettle()
      try await house.retainedTopics(become: house.topics())
      try await house.broker.stop()
      try house.configure { $0.devices.removeLast() }
      let bridge = try house.bridge
      try await bridge.errors.first(within: .patience) { $0.contains("no broker") }
      bridge.send(SIGHUP)
      try await bridge.errors.first(within: .patience) { $0.contains("reloaded") }
      try await bridge.kill9()
      try await house.broker.start()
      #expect(Set(try await house.retained().keys) == house.topics())
      let recorder = try await MQTTRecorder(port: house.broker.port)
      try house.start()
      // The last thing to come: the list of what is left.
      try await recorder.message(on: "sketch2mqtt/bridge/main/devices", within: .patience) {
        !$0.text.contains("plug_2") && !$0.payload.isEmpty
      }
      #expect(Set(try await house.retained().keys) == house.topics(of: ["plug_1"]))
    }
  }

  @Test func `is remembered by the broker's list where the folder cannot be written`() async throws {
    var options = House.Options()
    options.plugs = 2
    try await withHouse(options) { house in
      // A file where the folder should be: even root cannot write there.
      try house.folder.write("", to: "state")
      try await house.startAndSettle()
      try await house.retainedTopics(become: house.topics())
      #expect(house.log.count { $0.contains("WARNING") && $0.contains("cannot write") } == 1)
      try await house.bridge.terminate()
      try house.configure { $0.devices.removeLast() }
      try house.start()
      try await house.retainedTopics(become: house.topics(of: ["plug_1"]))
    }
  }

  @Test(arguments: ["", "{", "[]", "{}", #"{"topics":7}"#, #"{"topics":[],"discovery":{"a/b":["x"]}}"#])
  func `is found by the broker's list where the state file is damaged`(content: String) async throws {
    try await withTwoPlugs { house in
      try await house.bridge.terminate()
      try house.folder.write(content, to: "state/sketch2mqtt/main.json")
      try house.configure { $0.devices.removeLast() }
      try house.start()
      try await house.retainedTopics(become: house.topics(of: ["plug_1"]))
      #expect(house.log.contains { $0.contains("damaged") })
    }
  }

  @Test func `leaves alone what others have retained`() async throws {
    try await withTwoPlugs { house in
      let others = ["sketch2mqtt/other/thing", "homeassistant/device/other/config", "sketch2mqtt/plug_20"]
      for topic in others { try await house.recorder.publish("x", to: topic, retain: true) }
      try house.configure { $0.devices.removeLast() }
      _ = try await house.request("reload")
      try await house.retainedTopics(become: house.topics(of: ["plug_1"]).union(others))
    }
  }
}
