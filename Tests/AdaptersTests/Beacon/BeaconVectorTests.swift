import DeviceModel
import Testing

@testable import Adapters

struct `Beacons in advertisements` {
  @Test func `an advertisement is read as its vector says`() throws {
    for vector in try Vectors.load("beacon-advertisements.json") {
      let why = Comment(rawValue: vector.text("why") ?? "")
      let advertisement = try Advertisement(vector)
      do throws(BeaconError) {
        let frame = try BeaconFrame.decode(advertisement)
        #expect(vector["beacon"] == frame.map(\.vector) ?? .unknown, why)
      } catch {
        #expect(vector.text("error") == "\(error)", why)
      }
    }
  }

  @Test func `a pattern finds the beacon that decoding finds, and no other`() throws {
    for vector in try Vectors.load("beacon-advertisements.json") {
      let why = Comment(rawValue: vector.text("why") ?? "")
      let advertisement = try Advertisement(vector)
      let frame = try? BeaconFrame.decode(advertisement)
      if let frame {
        for pattern in BeaconPattern.all(of: frame.identity) {
          #expect(pattern.matches(frame.identity), why)
          #expect(pattern.frame(in: advertisement) == frame, why)
        }
        for place in frame.identity.bytes.indices {
          var bytes = frame.identity.bytes
          bytes[place] ^= 0x10
          let other = BeaconIdentity(format: frame.identity.format, bytes: bytes)
          let pattern = try #require(BeaconPattern.all(of: other).first)
          #expect(!pattern.matches(frame.identity), why)
          #expect(pattern.frame(in: advertisement) == nil, why)
        }
      } else {
        let uuid = try #require(BluetoothUUID("e2c56db5-dffb-48d2-b060-d0f5a71096e0"))
        let pattern = BeaconPattern(.numbered(uuid: uuid, major: nil, minor: nil))
        #expect(pattern.frame(in: advertisement) == nil, why)
      }
    }
  }

  @Test func `an iBeacon is no Eddystone of the same bytes`() throws {
    let bytes = [UInt8](0..<20)
    let uuid = try #require(BluetoothUUID(bytes: bytes.prefix(16)))
    let numbered = BeaconPattern(.numbered(uuid: uuid, major: nil, minor: nil))
    let eddystone = BeaconPattern(.eddystone(namespace: Array(bytes.prefix(10)), instance: nil))
    #expect(!numbered.matches(BeaconIdentity(format: .eddystone, bytes: Array(bytes.prefix(16)))))
    #expect(!eddystone.matches(BeaconIdentity(format: .iBeacon, bytes: bytes)))
    #expect(eddystone.matches(BeaconIdentity(format: .eddystone, bytes: Array(bytes.prefix(16)))))
  }

  @Test func `a number left open stands for any`() throws {
    let uuid = try #require(BluetoothUUID("e2c56db5-dffb-48d2-b060-d0f5a71096e0"))
    let of7 = BeaconPattern(.numbered(uuid: uuid, major: nil, minor: 7))
    let of0 = BeaconPattern(.numbered(uuid: uuid, major: 0, minor: nil))
    func identity(_ major: UInt8, _ minor: UInt8) -> BeaconIdentity {
      BeaconIdentity(format: .altBeacon, bytes: uuid.bytes + [0, major, 0, minor])
    }
    #expect(of7.matches(identity(0, 7)) && of7.matches(identity(9, 7)) && !of7.matches(identity(7, 8)))
    #expect(of0.matches(identity(0, 7)) && of0.matches(identity(0, 0)) && !of0.matches(identity(1, 0)))
    #expect(of7.isGroup && of0.isGroup)
    #expect(!BeaconPattern(.numbered(uuid: uuid, major: 0, minor: 7)).isGroup)
  }

  @Test func `any bytes are a beacon, none, or a mistake`() throws {
    let uuid = try #require(BluetoothUUID("e2c56db5-dffb-48d2-b060-d0f5a71096e0"))
    let pattern = BeaconPattern(.numbered(uuid: uuid, major: nil, minor: nil))
    let phrases: [[UInt8]] = [[0x02, 0x15], [0xBE, 0xAC], [0x00], [0x20], []]
    var found = 0
    for _ in 0..<20_000 {
      let bytes =
        (phrases.randomElement() ?? []) + (0..<Int.random(in: 0...30)).map { _ in UInt8.random(in: 0...255) }
      let advertisement = Advertisement(
        address: "C0:DE:00:00:00:01", manufacturerData: [[0x004C, 0x0118].randomElement() ?? 0: bytes],
        serviceData: [Eddystone.service: Array(bytes.dropFirst(.random(in: 0...3)))])
      if let frame = try? BeaconFrame.decode(advertisement) {
        found += 1
        #expect(frame.powerDBm.map { (-127..<0).contains($0) } != false)
        #expect(frame.identity.bytes.count == (frame.identity.format == .eddystone ? 16 : 20))
      }
      #expect(pattern.frame(in: advertisement) == nil)
    }
    #expect(found > 100)
  }
}

extension Advertisement {
  init(_ vector: Value.Members) throws {
    self.init(address: "C0:DE:00:00:00:01", rssiDBm: -60)
    for (company, value) in vector.members("manufacturer")?.pairs ?? [] {
      manufacturerData[try #require(UInt16(company, radix: 16))] = try [UInt8](value)
    }
    for (service, value) in vector.members("service")?.pairs ?? [] {
      serviceData[try #require(BluetoothUUID(service))] = try [UInt8](value)
    }
  }
}

extension [UInt8] {
  fileprivate init(_ value: Value) throws {
    guard case .text(let hex) = value else { throw Vectors.NotVectors(name: "\(value)") }
    try self.init(hex: hex)
  }
}

extension BeaconFrame {
  fileprivate var vector: Value {
    [
      "format": .text(identity.format.rawValue), "identity": .text("\(identity)"),
      "power": powerDBm.map { .integer($0) } ?? .unknown,
    ]
  }
}

extension BeaconPattern {
  /// Patterns that mean this beacon, the narrowest first.
  static func all(of identity: BeaconIdentity) -> [BeaconPattern] {
    let bytes = identity.bytes
    guard identity.format != .eddystone, let uuid = BluetoothUUID(bytes: bytes.prefix(16)) else {
      let namespace = Array(bytes.prefix(10))
      return [
        BeaconPattern(.eddystone(namespace: namespace, instance: Array(bytes.suffix(6)))),
        BeaconPattern(.eddystone(namespace: namespace, instance: nil)),
      ]
    }
    let major = UInt16(bytes[16]) << 8 | UInt16(bytes[17])
    let minor = UInt16(bytes[18]) << 8 | UInt16(bytes[19])
    return [(major, minor), (major, nil), (nil, minor), (nil, nil)].map {
      BeaconPattern(.numbered(uuid: uuid, major: $0, minor: $1))
    }
  }
}
