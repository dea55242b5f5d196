@testable import Bridge
import DeviceModel
import Testing

struct `Advertisements find who is concerned` {
  private static let uuid = [UInt8](repeating: 0xAB, count: 16)

  private func numbered(_ tail: [UInt8] = []) -> AdvertisementInterest {
    .matching([AdvertisementPattern(.manufacturerData, from: 2, Self.uuid + tail)])
  }

  private func beacon(_ address: String = "40:00:00:00:00:01", minor: UInt8, company: UInt16 = 0x4C)
    -> Advertisement
  {
    Advertisement(
      address: address, manufacturerData: [company: [0x02, 0x15] + Self.uuid + [0, 7, 0, minor, 0xC5]])
  }

  @Test func `an item, its group, and whoever hears all; nobody else`() {
    var routes = AdvertisementRoutes([
      numbered([0, 7, 0, 1]), numbered([0, 7, 0, 2]), numbered([0, 7]), numbered(), .all,
      numbered([0, 8]), .matching([AdvertisementPattern(.serviceData, from: 2, Self.uuid)]), .nothing,
    ])
    #expect(Set(routes.listeners(to: beacon(minor: 1))) == [0, 2, 3, 4])
    #expect(Set(routes.listeners(to: beacon(minor: 2, company: 0x118))) == [1, 2, 3, 4])
    #expect(Set(routes.listeners(to: beacon(minor: 9))) == [2, 3, 4])
    #expect(routes.listeners(to: Advertisement(address: "40:00:00:00:00:02")) == [4])
    let short = Advertisement(
      address: "40:00:00:00:00:02", manufacturerData: [0x4C: [0x02, 0x15] + Self.uuid.dropLast()])
    #expect(routes.listeners(to: short) == [4])
  }

  @Test func `one with several patterns is told once`() {
    var routes = AdvertisementRoutes([numbered([0, 7]).union(numbered([0, 7, 0, 1]))])
    #expect(routes.listeners(to: beacon(minor: 1)) == [0])
  }

  @Test func `a frame without identity goes to who knows the address`() throws {
    let eddystone = try #require(BluetoothUUID("feaa"))
    let namespace = [UInt8](1...10)
    var routes = AdvertisementRoutes([.matching([AdvertisementPattern(.serviceData, from: 2, namespace)])])
    func frame(_ bytes: [UInt8], from address: String = "40:00:00:00:00:01") -> Advertisement {
      Advertisement(address: address, serviceData: [eddystone: bytes])
    }
    let telemetry: [UInt8] = [0x20, 0, 0x0B, 0xB8]
    #expect(routes.listeners(to: frame(telemetry)) == [])
    #expect(routes.listeners(to: frame([0, 0xEE] + namespace + [1, 2, 3, 4, 5, 6])) == [0])
    #expect(routes.listeners(to: frame(telemetry)) == [0])
    #expect(routes.listeners(to: frame(telemetry, from: "40:00:00:00:00:02")) == [])
  }

  @Test func `addresses that change all the time are forgotten`() throws {
    let service = try #require(BluetoothUUID("180f"))
    var routes = AdvertisementRoutes([numbered()])
    func battery(_ number: Int) -> Advertisement {
      Advertisement(address: "\(number)", serviceData: [service: [50]])
    }
    for number in 0..<3 * AdvertisementRoutes.mostAddresses {
      #expect(routes.listeners(to: beacon("\(number)", minor: 1)) == [0])
      #expect(routes.listeners(to: battery(number)) == [0])
    }
    #expect(routes.listeners(to: battery(0)) == [])
  }
}
