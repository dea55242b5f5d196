import DeviceModel
import Testing

@testable import Adapters

struct `A beacon` {
  @Test func `it is home at its first advertisement, and not home after the silence, each told once`() {
    var keys = Keys()
    keys.feed(.listening(true, nil))
    keys.pass(.seconds(30))
    #expect(keys.talk.state["presence"] == "not_home")
    #expect(keys.events.isEmpty, "nobody has seen it leave")

    keys.hear(-60)
    #expect(keys.talk.state["presence"] == "home")
    keys.pass(.seconds(29))
    keys.hear(-60)
    keys.pass(.milliseconds(29_999))
    #expect(keys.talk.state["presence"] == "home")
    #expect(keys.names == ["returned"])

    keys.pass(.milliseconds(1))
    #expect(keys.talk.state["presence"] == "not_home")
    #expect(keys.talk.state["proximity"] == "unknown")
    #expect(keys.talk.state["distance"] == .unknown)
    #expect(keys.talk.state["rssi"] == .unknown)
    keys.pass(.seconds(3600))
    #expect(keys.names == ["returned", "left_behind"])
    keys.hear(-60)
    #expect(keys.names == ["returned", "left_behind", "returned"])
  }

  @Test func `at the edge of what is heard it does not come and go`() {
    var keys = Keys()
    keys.feed(.listening(true, nil))
    for _ in 0..<200 {
      keys.hear(-97)
      keys.pass(.seconds(.random(in: 20...29)))
    }
    #expect(keys.talk.changes.count { $0.key == "presence" } == 1)
    #expect(keys.events.isEmpty)
  }

  @Test func `an event tells what was known`() throws {
    var keys = Keys(remembered: ["presence": "not_home"])
    keys.hear(-59)
    keys.pass(.seconds(31))
    #expect(keys.events.first?.facts["rssi"] == -59)
    let facts = try #require(keys.events.last?.facts)
    #expect(facts["last_heard"] == "2026-11-30T07:00:00Z")
    #expect(facts["rssi"] == -59)
    #expect(facts["distance"] == 1.0)
  }

  @Test func `what was known before a restart holds after it`() {
    var keys = Keys(remembered: ["presence": "home"])
    #expect(keys.talk.state["presence"] == "home")
    keys.hear(-60)
    #expect(keys.events.isEmpty, "it was there all the time")
    #expect(keys.remembered == nil)

    keys = Keys(remembered: ["presence": "home"])
    keys.pass(.seconds(30))
    #expect(keys.names == ["left_behind"])
    #expect(keys.remembered?["presence"] == "not_home")

    keys = Keys(remembered: ["presence": "not_home"])
    keys.pass(.seconds(300))
    #expect(keys.names == [])
    keys.hear(-60)
    #expect(keys.names == ["returned"])
    #expect(keys.remembered?["presence"] == "home")
  }

  @Test func `what happened is told when it is on the disk, in its order`() {
    var keys = Keys(remembered: ["presence": "not_home"])
    keys.hasDisk = false
    keys.hear(-60)
    #expect(keys.remembered?["presence"] == "home" && keys.talk.state["presence"] == "home")
    #expect(keys.names == [])
    keys.feed(.timerFired("silence"))
    #expect(keys.names == [])
    keys.hasDisk = true
    keys.pass(.zero)
    #expect(keys.names == ["returned"])
    keys.pass(.seconds(31))
    #expect(keys.names == ["returned", "left_behind"])
    keys.pass(.seconds(31))
    #expect(keys.names == ["returned", "left_behind"])
  }

  @Test func `an adapter that is pulled out leaves nothing behind`() {
    var keys = Keys()
    keys.hear(-60)
    keys.feed(.listening(false, "no adapter"))
    keys.pass(.seconds(3600))
    #expect(keys.talk.state["presence"] == "home")
    #expect(keys.talk.state["proximity"] == "unknown", "how near it is nobody knows")
    keys.feed(.listening(true, nil))
    keys.pass(.seconds(29))
    #expect(keys.events.isEmpty)
    keys.pass(.seconds(1))
    #expect(keys.names == ["left_behind"])
  }

  @Test func `others are not it`() throws {
    var keys = Keys()
    for hex in [
      "0215e2c56db5dffb48d2b060d0f5a71096e000010003c5", "0215e2c56db5dffb48d2b060d0f5a71096e000020002c5",
      "0215e2c56db5dffb48d2b060d0f5a71096e100010002c5", "0215e2c56db5", "",
    ] {
      keys.hear(-60, manufacturer: [0x004C: try [UInt8](hex: hex)])
    }
    #expect(keys.talk.state["presence"] ?? .unknown == .unknown)
    keys.hear(-60, manufacturer: [0x0118: Array(Keys.altBeacon)])
    #expect(keys.talk.state["presence"] == "home", "an AltBeacon with its numbers is")
  }

  @Test func `its address may change all the time`() {
    var keys = Keys()
    for number in 0..<500 {
      keys.hear(-59, address: "40:00:00:00:\(number / 100 + 10):\(number % 100 + 10)")
      keys.pass(.seconds(1))
    }
    #expect(keys.talk.state["distance"] == 1.0)
    #expect(keys.talk.changes.count { $0.key == "presence" } == 1)
  }

  @Test func `weak readings do not bring it home, and a little weaker ones hold it`() {
    var keys = Keys(["minimum_rssi": -80], remembered: .unknown)
    keys.hear(-81)
    keys.pass(.seconds(31))
    #expect(keys.talk.state["presence"] == "not_home")
    keys.hear(-80)
    #expect(keys.talk.state["presence"] == "home")
    keys.pass(.seconds(20))
    keys.hear(-86)
    keys.pass(.seconds(20))
    #expect(keys.talk.state["presence"] == "home")
    keys.hear(-87)
    keys.pass(.seconds(10))
    #expect(keys.talk.state["presence"] == "not_home")
  }

  @Test func `heard without its strength it is held by the last one, and never brought home`() {
    var keys = Keys(["minimum_rssi": -80, "silence": "5s"], remembered: .unknown)
    keys.hear(nil)
    #expect(keys.talk.state["presence"] ?? .unknown == .unknown)
    keys.hear(-70)
    for _ in 0..<9 {
      keys.pass(.seconds(4))
      keys.hear(nil)
    }
    #expect(keys.talk.state["presence"] == "home")
    keys = Keys(["minimum_rssi": -80, "silence": "5s"], remembered: .unknown)
    keys.hear(-70)
    keys.pass(.seconds(4))
    keys.hear(-95)
    for _ in 0..<2 {
      keys.pass(.seconds(1))
      keys.hear(nil)
    }
    #expect(keys.talk.state["presence"] == "not_home", "it was too weak when it was last measured")
  }

  @Test func `the battery is told by Eddystone's telemetry or the battery service, and kept`() throws {
    var keys = Keys(["namespace": "00010203040506070809", "instance": "0xAABBCCDDEEFF"], uuid: nil)
    let telemetry = try [UInt8](hex: "20000b54150000000001000000c8")
    keys.hear(-60, service: [Eddystone.service: telemetry])
    #expect(keys.described.isEmpty, "it is somebody's")
    keys.hear(-60, service: [Eddystone.service: try [UInt8](hex: "00ee00010203040506070809aabbccddeeff0000")])
    keys.pass(.seconds(1))
    keys.hear(-60, service: [Eddystone.service: telemetry])
    #expect(keys.talk.state["battery"] == 45)
    #expect(keys.described.last?["battery"] != nil)
    #expect(keys.remembered?["battery"] == true)
    keys.pass(.seconds(60))
    #expect(keys.talk.state["battery"] == 45)

    keys = Keys(remembered: ["battery": true])
    #expect(keys.described.last?["battery"] != nil)
    keys.hear(
      -60, manufacturer: [0x004C: Array(Keys.iBeacon)], service: [BluetoothUUID(assigned: 0x180F): [77]])
    #expect(keys.talk.state["battery"] == 77)
  }

  @Test(arguments: [(3600, 100), (3000, 100), (2950, 72), (2900, 45), (2700, 18), (2400, 6), (1900, 0)])
  func `a cell's voltage as a percentage`(millivolts: Int, percent: Int) {
    #expect(BeaconBattery.percent(ofMillivolts: millivolts) == percent)
  }

  @Test func `commands are refused`() {
    var keys = Keys()
    #expect(keys.talk.command(1, Command("presence", "home")).reasons == [.readOnly])
    #expect(keys.talk.command(2, Command("colour", "red")).reasons == [.unknownProperty])
    #expect(keys.talk.feed(.transmit(number: 3, [1])).reasons == [.unsupported])
  }
}

/// A beacon on a bunch of keys, and what its adapter says.
struct Keys {
  var talk: Conversation
  private(set) var events: [(name: String, facts: Value.Members)] = []
  private(set) var described: [DeviceDescription] = []
  private(set) var remembered: Value.Members?
  /// While it is false, no time may pass.
  var hasDisk = true

  static let uuid = "e2c56db5-dffb-48d2-b060-d0f5a71096e0"
  /// Major 1, minor 2, −59 dBm at 1 m.
  static let iBeacon: [UInt8] = [0x02, 0x15] + identity + [0xC5]
  static let altBeacon: [UInt8] = [0xBE, 0xAC] + identity + [0xC5, 0x00]
  private static let identity: [UInt8] = (BluetoothUUID(uuid)?.bytes ?? []) + [0, 1, 0, 2]

  init(_ options: Value.Members = [:], uuid: String? = Keys.uuid, remembered: Value? = nil) {
    var options = options
    if let uuid {
      options["uuid"] = .text(uuid)
      if options["major"] == nil {
        options["major"] = 1
        options["minor"] = 2
      }
    }
    var problems: [ConfigurationProblem] = []
    let checked = Beacon.kind.options.check(
      LocatedValue(.object(options)), path: "options", problems: &problems)
    guard let adapter = Beacon.kind.makeAdapter(checked, &problems), problems.isEmpty else {
      preconditionFailure("\(problems)")
    }
    talk = Conversation(adapter)
    note(talk.feed(.remembered(remembered ?? .unknown)))
    if remembered != nil { note(talk.feed(.listening(true, nil))) }
  }

  var names: [String] { events.map(\.name) }

  @discardableResult
  mutating func hear(
    _ rssi: Int?, manufacturer: [UInt16: [UInt8]]? = nil, service: [BluetoothUUID: [UInt8]] = [:],
    address: String = "C0:DE:00:00:00:09"
  ) -> [Output] {
    let data = manufacturer ?? (service.isEmpty ? [0x004C: Self.iBeacon] : [:])
    return feed(
      .advertisement(
        Advertisement(
          address: address, rssiDBm: rssi, manufacturerData: data, serviceData: service)))
  }

  @discardableResult
  mutating func feed(_ input: Input) -> [Output] {
    let outputs = note(talk.feed(input))
    // The disk takes what is to be remembered at once, if it is there.
    return hasDisk ? outputs + pass(.zero) : outputs
  }

  @discardableResult
  mutating func pass(_ duration: Duration) -> [Output] { note(talk.pass(duration)) }

  @discardableResult
  private mutating func note(_ outputs: [Output]) -> [Output] {
    for output in outputs {
      switch output {
      case .event(let name, let facts): events.append((name, facts))
      case .describe(let description): described.append(description)
      case .remember(.object(let members)): remembered = members
      default: break
      }
    }
    return outputs
  }
}
