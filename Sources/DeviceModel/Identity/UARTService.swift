/// The service through which a board offers a serial port over Bluetooth LE, and its two directions.
public struct UARTService: Hashable, Sendable {
  public var service: BluetoothUUID
  /// Written by the bridge.
  public var write: BluetoothUUID
  /// Notified by the board; HM-10 has one characteristic for both directions.
  public var notify: BluetoothUUID

  public init(service: BluetoothUUID, write: BluetoothUUID, notify: BluetoothUUID) {
    self.service = service
    self.write = write
    self.notify = notify
  }

  /// The Nordic UART service.
  public static let nus = UARTService(
    service: nordic(0x6E40_0001), write: nordic(0x6E40_0002), notify: nordic(0x6E40_0003))

  /// HM-10 and other CC2541 modules.
  public static let hm10 = UARTService(
    service: BluetoothUUID(assigned: 0xFFE0), write: BluetoothUUID(assigned: 0xFFE1),
    notify: BluetoothUUID(assigned: 0xFFE1))

  private static func nordic(_ number: UInt64) -> BluetoothUUID {
    BluetoothUUID(high: number << 32 | 0xB5A3_F393, low: 0xE0A9_E50E_24DC_CA9E)
  }
}
