/// A board heard on the air, with all that its advertisements have said so far.
public struct Advertisement: Hashable, Sendable {
  /// With colons and capitals.
  public var address: String
  public var isRandomAddress: Bool
  public var name: String?
  /// Received strength; nil when unknown.
  public var rssiDBm: Int?
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
    self.rssiDBm = rssiDBm
    self.services = services
    self.manufacturerData = manufacturerData
    self.serviceData = serviceData
  }
}
