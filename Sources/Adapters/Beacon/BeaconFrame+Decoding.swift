import DeviceModel

/// Beacons as they stand in advertisements: an iBeacon in the manufacturer data of company 0x004C, an AltBeacon in
/// those of any company, Eddystone-UID in the service data of FEAA. Bytes behind a beacon's own say nothing.
extension BeaconFrame {
  /// Nil for what is no beacon; throws for what begins as one.
  static func decode(_ advertisement: Advertisement) throws(BeaconError) -> BeaconFrame? {
    if let bytes = advertisement.serviceData[Eddystone.service], let frame = try eddystone(bytes) {
      return frame
    }
    if let bytes = advertisement.manufacturerData[apple], let frame = try iBeacon(bytes) { return frame }
    for bytes in advertisement.manufacturerData.values {
      if let frame = try altBeacon(bytes) { return frame }
    }
    return nil
  }

  static let apple: UInt16 = 0x004C

  /// Without the company's number: `02 15`, UUID, major, minor, power.
  static func iBeacon(_ bytes: [UInt8]) throws(BeaconError) -> BeaconFrame? {
    guard bytes.first == 0x02 else { return nil }
    guard bytes.count >= 23 else { throw .truncated(.iBeacon, needed: 23, got: bytes.count) }
    guard bytes[1] == 0x15 else { throw .wrongLength(bytes[1]) }
    return BeaconFrame(
      identity: BeaconIdentity(format: .iBeacon, bytes: Array(bytes[2..<22])), powerDBm: power(bytes[22]))
  }

  /// Without the company's number: `BE AC`, 20 bytes, power, one byte of the maker's own.
  static func altBeacon(_ bytes: [UInt8]) throws(BeaconError) -> BeaconFrame? {
    guard bytes.starts(with: [0xBE, 0xAC]) else { return nil }
    guard bytes.count >= 24 else { throw .truncated(.altBeacon, needed: 24, got: bytes.count) }
    return BeaconFrame(
      identity: BeaconIdentity(format: .altBeacon, bytes: Array(bytes[2..<22])), powerDBm: power(bytes[22]))
  }

  /// `00`, power at 0 m, namespace, instance, two reserved bytes that some leave out.
  static func eddystone(_ bytes: [UInt8]) throws(BeaconError) -> BeaconFrame? {
    guard bytes.first == Eddystone.uid else { return nil }
    guard bytes.count >= 18 else { throw .truncated(.eddystone, needed: 18, got: bytes.count) }
    let atOneMetre = Int(Int8(bitPattern: bytes[1])) - Eddystone.firstMetreDB
    return BeaconFrame(
      identity: BeaconIdentity(format: .eddystone, bytes: Array(bytes[2..<18])),
      powerDBm: (-127..<0).contains(atOneMetre) ? atOneMetre : nil)
  }

  /// Nothing is received at 1 m with a milliwatt or more, and −128 is what an unset byte may be.
  private static func power(_ byte: UInt8) -> Int? {
    let power = Int(Int8(bitPattern: byte))
    return (-127..<0).contains(power) ? power : nil
  }
}

/// Frames in the service data of FEAA.
enum Eddystone {
  static let service = BluetoothUUID(assigned: 0xFEAA)
  static let uid: UInt8 = 0x00
  static let telemetry: UInt8 = 0x20
  /// What is lost on the first metre, by which Eddystone's figure differs from the others'.
  static let firstMetreDB = 41
}
