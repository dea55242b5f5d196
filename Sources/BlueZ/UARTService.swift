/// The service through which a board offers a serial port, and its two directions.
public struct UARTService: Hashable, Sendable {
  public var service: BluetoothUUID
  /// Written by the central.
  public var write: BluetoothUUID
  /// Notified by the board.
  public var notify: BluetoothUUID

  public init(service: BluetoothUUID, write: BluetoothUUID, notify: BluetoothUUID) {
    self.service = service
    self.write = write
    self.notify = notify
  }

  /// The Nordic UART service.
  public static let nus = UARTService(
    service: BluetoothUUID(known: "6e400001-b5a3-f393-e0a9-e50e24dcca9e"),
    write: BluetoothUUID(known: "6e400002-b5a3-f393-e0a9-e50e24dcca9e"),
    notify: BluetoothUUID(known: "6e400003-b5a3-f393-e0a9-e50e24dcca9e"))

  /// HM-10 and other CC2541 modules: one characteristic for both directions.
  public static let hm10 = UARTService(
    service: BluetoothUUID(known: "0000ffe0-0000-1000-8000-00805f9b34fb"),
    write: BluetoothUUID(known: "0000ffe1-0000-1000-8000-00805f9b34fb"),
    notify: BluetoothUUID(known: "0000ffe1-0000-1000-8000-00805f9b34fb"))
}
