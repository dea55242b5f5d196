public import DeviceModel

extension Configuration {
  /// The service by which bytes go over Bluetooth LE, and its characteristics.
  public struct BluetoothUART: Sendable, Hashable {
    public var service: BluetoothUUID
    /// The bridge writes to it.
    public var write: BluetoothUUID
    /// The board speaks by it; HM-10 has one for both.
    public var notify: BluetoothUUID
  }
}

extension Configuration.BluetoothUART {
  /// The Nordic UART service.
  public static let nordic = Self(
    service: nordic(0x6E40_0001), write: nordic(0x6E40_0002), notify: nordic(0x6E40_0003))

  /// HM-10 and CC2541 modules.
  public static let hm10 = Self(
    service: BluetoothUUID(assigned: 0xFFE0), write: BluetoothUUID(assigned: 0xFFE1),
    notify: BluetoothUUID(assigned: 0xFFE1))

  private static func nordic(_ number: UInt64) -> BluetoothUUID {
    BluetoothUUID(high: number << 32 | 0xB5A3_F393, low: 0xE0A9_E50E_24DC_CA9E)
  }
}
