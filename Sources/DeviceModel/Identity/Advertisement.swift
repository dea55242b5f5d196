/// A board heard on the air, with all that its advertisements have said so far.
public struct Advertisement: Hashable, Sendable {
  /// With colons and capitals.
  public var address: String
  public var isRandomAddress: Bool
  public var name: String?
  /// Received strength; nil when unknown, and for a figure that cannot be one.
  public var rssiDBm: Int? {
    didSet { rssiDBm = rssiDBm.flatMap(Self.strength) }
  }
  public var services: [BluetoothUUID]
  /// By company number.
  public var manufacturerData: [UInt16: [UInt8]]
  public var serviceData: [BluetoothUUID: [UInt8]]

  public init(
    address: String, isRandomAddress: Bool = false, name: String? = nil, rssiDBm: Int? = nil,
    services: [BluetoothUUID] = [], manufacturerData: [UInt16: [UInt8]] = [:],
    serviceData: [BluetoothUUID: [UInt8]] = [:]
  ) {
    self.address = address
    self.isRandomAddress = isRandomAddress
    self.name = name
    self.rssiDBm = rssiDBm.flatMap(Self.strength)
    self.services = services
    self.manufacturerData = manufacturerData
    self.serviceData = serviceData
  }

  /// A strength in dBm as a controller or BlueZ tells it. Nil for what stands for none: 127 of a controller, 0 of
  /// BlueZ, −128 of an unset byte, and all else beyond −127 to 20 (Bluetooth Core Specification, volume 4, part E,
  /// 7.7.65.2).
  public static func strength(_ reading: Int) -> Int? {
    (-127...20).contains(reading) && reading != 0 ? reading : nil
  }
}
