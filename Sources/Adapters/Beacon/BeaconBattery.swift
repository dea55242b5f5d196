import DeviceModel

/// How full a beacon's battery is, where it says so: in Eddystone's telemetry, or as the battery service's data.
enum BeaconBattery {
  static let service = BluetoothUUID(assigned: 0x180F)

  /// 0 to 100 %; nil where nothing is said.
  static func percent(in advertisement: Advertisement) -> Int? {
    guard !advertisement.serviceData.isEmpty else { return nil }
    if let bytes = advertisement.serviceData[service], let percent = bytes.first, percent <= 100 {
      return Int(percent)
    }
    return advertisement.serviceData[Eddystone.service].flatMap(millivolts).map(percent(ofMillivolts:))
  }

  /// `20 00`, millivolts, temperature, counters. Nil for another frame, and for a beacon on the mains, which says 0.
  private static func millivolts(_ bytes: [UInt8]) -> Int? {
    guard bytes.count >= 4, bytes[0] == Eddystone.telemetry, bytes[1] == 0 else { return nil }
    let millivolts = Int(bytes[2]) << 8 | Int(bytes[3])
    return millivolts == 0 ? nil : millivolts
  }

  /// Of a lithium button cell: it stays near 3 V until it is half empty, and falls faster and faster after.
  static func percent(ofMillivolts millivolts: Int) -> Int {
    let curve = [(2000, 0), (2400, 6), (2700, 18), (2900, 45), (3000, 100)]
    guard let above = curve.firstIndex(where: { millivolts < $0.0 }) else { return 100 }
    guard above > 0 else { return 0 }
    let (low, high) = (curve[above - 1], curve[above])
    return low.1 + (millivolts - low.0) * (high.1 - low.1) / (high.0 - low.0)
  }
}
