import DBus
import DeviceModel

extension Advertisement {
  /// From the properties of a `Device1`; nil without an address.
  ///
  /// - Parameter withStrength: Whether the `RSSI` that is shown is this advertisement's.
  init?(_ properties: [String: DBusValue], withStrength: Bool = true) {
    guard let address = properties["Address"]?.string else { return nil }
    self.init(
      address: address, isRandomAddress: properties["AddressType"]?.string == "random",
      name: properties["Name"]?.string, rssiDBm: withStrength ? properties["RSSI"]?.strength : nil,
      services: properties["UUIDs"]?.strings?.compactMap { BluetoothUUID($0) } ?? [])
    for entry in properties["ManufacturerData"]?.entries ?? [] {
      guard let company = entry.key.uint16, case .variant(.bytes(let bytes)) = entry.value else { continue }
      manufacturerData[company] = bytes
    }
    for (key, value) in properties["ServiceData"]?.properties ?? [:] {
      guard let service = BluetoothUUID(key), let bytes = value.bytes else { continue }
      serviceData[service] = bytes
    }
  }

  /// Whether one of these properties of a `Device1` tells that the board was heard just now.
  static func isHeard(in changed: [String: DBusValue]) -> Bool {
    changed["RSSI"] != nil || changed["ManufacturerData"] != nil || changed["ServiceData"] != nil
  }
}

extension DBusValue {
  /// An `RSSI`, dBm; nil for one that says that there is none.
  var strength: Int? { int16.flatMap { Advertisement.strength(Int($0)) } }
}
