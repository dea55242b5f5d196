import DeviceModel

@testable import Adapters

extension Subject {
  /// A beacon's bytes are a beacon, none or a mistake, and the pattern of what was found finds it again.
  static let beacons = Subject("beacons") { input throws(Violation) in
    guard let first = input.first else { return }
    let bytes = Array(input.dropFirst())
    var advertisement = Advertisement(address: "C0:DE:00:00:00:01", rssiDBm: -60)
    switch first % 3 {
    case 0: advertisement.manufacturerData[BeaconFrame.apple] = bytes
    case 1: advertisement.manufacturerData[0x0118] = bytes
    default: advertisement.serviceData[Eddystone.service] = bytes
    }
    _ = BeaconBattery.percent(in: advertisement)
    guard let frame = try? BeaconFrame.decode(advertisement) else { return }
    try require(bytes.count >= 18, "a beacon of \(bytes.count) bytes")
    let identity = frame.identity
    try require(identity.bytes.count == (identity.format == .eddystone ? 16 : 20), "\(identity)")
    let pattern =
      identity.format == .eddystone
      ? BeaconPattern(
        .eddystone(
          namespace: Array(identity.bytes.prefix(10)), instance: Array(identity.bytes.suffix(6))))
      : BluetoothUUID(bytes: identity.bytes.prefix(16)).map {
        BeaconPattern(.numbered(uuid: $0, major: nil, minor: nil))
      }
    try require(pattern?.frame(in: advertisement) == frame, "\(identity) is not found again")
  }

  /// Orders and news of attributes: what was read is written the same.
  static let attributes = Subject("attributes") { input throws(Violation) in
    if let order = try? AttributeOrder(bytes: input) {
      try require(order.bytes == input, "\(order) is written otherwise")
    }
    if let news = try? AttributeNews(bytes: input) {
      try require(news.bytes == input, "\(news) is written otherwise")
    }
    guard let choice = input.first else { return }
    let formats = AttributeFormat.words
    let entity = AttributeEntity(
      property: Property("it", name: nil, .sensor()), format: formats[Int(choice) % formats.count].format)
    if let value = try? entity.value(in: Array(input.dropFirst())), case .number(let number) = value {
      try require(number.isFinite, "\(number)")
    }
  }
}
