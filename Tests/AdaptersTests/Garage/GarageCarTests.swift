import DeviceModel
import Testing

@testable import Adapters

struct `A beacon in the car` {
  private static func advertisement(minor: UInt8 = 1, strength: Int = -60) -> Input {
    let uuid: [UInt8] = [
      0xF7, 0x82, 0x6D, 0xA6, 0x4F, 0xA2, 0x4E, 0x98, 0x80, 0x24, 0xBC, 0x5B, 0x71, 0xE0, 0x89, 0x3E,
    ]
    return .advertisement(
      Advertisement(
        address: "C0:DE:00:00:00:09", rssiDBm: strength,
        manufacturerData: [0x004C: [0x02, 0x15] + uuid + [0, 1, 0, minor, 0xC5]]))
  }

  @Test func `is an arrival, when it was away and its person is out`() throws {
    var garage = try GarageTalk()
    garage.feed(.listening(true, nil))
    garage.feed(Self.advertisement())
    #expect(garage["in_beacon_anna"] == true)
    garage.pass(121)
    #expect(garage["in_beacon_anna"] == false)
    garage.feed(Self.advertisement())
    #expect(garage.sent.isEmpty, "nobody was out")
    garage.presence("leave")
    garage.pass(600)
    garage.feed(Self.advertisement(minor: 2))
    #expect(garage.sent.isEmpty, "another car")
    garage.feed(Self.advertisement())
    #expect(garage.pulses == ["48151O=1"])
    #expect(garage.happened("opened").map { $0["source"] } == ["car_beacon"])
  }

  @Test func `that is there when the bridge begins to listen has not come`() throws {
    var garage = try GarageTalk()
    garage.presence("leave")
    try garage.restart()
    garage.feed(.listening(true, nil))
    garage.feed(Self.advertisement())
    #expect(garage.sent.isEmpty)
    #expect(!garage.isArmed(), "it is home")
    garage.pass(200)
    garage.feed(Self.advertisement())
    #expect(garage.sent.isEmpty)
  }

  @Test func `that came while nobody listened has not come`() throws {
    var garage = try GarageTalk()
    garage.feed(.listening(true, nil))
    garage.presence("leave")
    garage.pass(200)
    garage.feed(.listening(false, "the adapter is gone"))
    garage.pass(600)
    garage.feed(.listening(true, nil))
    garage.feed(Self.advertisement())
    #expect(garage.sent.isEmpty)
    #expect(!garage.isArmed())
  }

  @Test func `a gap in what is heard is no leaving`() throws {
    var garage = try GarageTalk()
    garage.feed(.listening(true, nil))
    garage.feed(Self.advertisement())
    garage.presence("leave")
    for _ in 0..<20 {
      garage.pass(100)
      garage.feed(Self.advertisement())
    }
    #expect(garage.sent.isEmpty)
    #expect(garage.happened("region_left").count == 1, "the home's")
  }

  @Test func `that goes unheard while boards are being connected has not left`() throws {
    var garage = try GarageTalk()
    garage.feed(.listening(true, nil))
    garage.feed(Self.advertisement())
    garage.presence("leave")
    garage.feed(.deafened(true))
    garage.pass(600)
    garage.feed(.deafened(false))
    garage.feed(Self.advertisement())
    #expect(garage.sent.isEmpty, "to be heard again is no arrival")
    garage.feed(.deafened(true))
    garage.pass(600)
    garage.feed(.deafened(false))
    #expect(garage["in_beacon_anna"] == true)
    garage.pass(121)
    #expect(garage["in_beacon_anna"] == false, "silence that was listened to is one")
  }

  @Test func `that was away and comes while nothing scans has not come, whatever else befalls the adapter`()
    throws
  {
    var garage = try GarageTalk()
    garage.feed(.listening(true, nil))
    garage.feed(Self.advertisement())
    garage.presence("leave")
    garage.pass(200)
    #expect(garage["in_beacon_anna"] == false)
    garage.feed(.deafened(true))
    garage.feed(.listening(false, "the Bluetooth adapter does not scan"))
    garage.feed(.listening(true, nil))
    garage.pass(600)
    garage.feed(.deafened(false))
    garage.feed(Self.advertisement())
    #expect(garage.sent.isEmpty)
    #expect(!garage.isArmed())
  }

  @Test func `a weak one does not count where the owner says so`() throws {
    var garage = try GarageTalk([
      "persons": [
        [
          "name": "Anna", "pin": "48151",
          "car": ["uuid": "f7826da64fa24e988024bc5b71e0893e", "minimum_rssi": -70],
        ]
      ]
    ])
    garage.feed(.listening(true, nil))
    garage.pass(200)
    garage.presence("leave")
    for strength in [-71, 127, 0, -128] {
      garage.feed(Self.advertisement(minor: 7, strength: strength))
      #expect(garage.sent.isEmpty, "\(strength) dBm is too weak, or none")
    }
    garage.feed(Self.advertisement(minor: 7, strength: -70))
    #expect(garage.pulses.count == 1)
  }

  @Test func `is listened for only where one is configured`() throws {
    let without = try GarageTalk(["persons": [["name": "Anna", "pin": "48151"]]])
    #expect(!without.talk.adapter.hearsAdvertisements)
    #expect(try GarageTalk().talk.adapter.hearsAdvertisements)
  }
}
