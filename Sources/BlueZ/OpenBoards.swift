import DBus
import EventLoop

/// The boards that are open or leaving, and which of BlueZ' devices each is.
@Loop struct OpenBoards {
  private(set) var all: [ConnectScheduler.Board: BluetoothUART] = [:]
  private var byDevice: [ObjectPath: BluetoothUART] = [:]

  init() {}

  mutating func insert(_ uart: BluetoothUART) { all[uart.number] = uart }

  mutating func remove(_ uart: BluetoothUART) {
    all[uart.number] = nil
    unbind(uart)
  }

  func board(at device: ObjectPath) -> BluetoothUART? { byDevice[device] }

  mutating func bind(_ uart: BluetoothUART, to device: ObjectPath) {
    unbind(uart)
    uart.device = device
    byDevice[device] = uart
  }

  /// BlueZ has forgotten a device; whose board it was is told by the return.
  mutating func deviceRemoved(_ device: ObjectPath) -> BluetoothUART? { byDevice.removeValue(forKey: device) }

  mutating func unbindAll() {
    for uart in all.values { uart.device = nil }
    byDevice = [:]
  }

  /// The open board that a device of nobody yet is. One known by name only moves to the device that is heard.
  func claimant(of properties: [String: DBusValue], isHeard: Bool) -> BluetoothUART? {
    all.values.first { uart in
      (uart.device == nil || isHeard && uart.phase == .waiting) && uart.isMeant(by: properties)
    }
  }

  /// The device that a board is, of those below `adapter` that are nobody's: rather one that is connected or was
  /// heard than one that is only remembered.
  func device(for uart: BluetoothUART, in tree: ObjectTree, below adapter: ObjectPath) -> ObjectPath? {
    let candidates = tree.paths(with: Interface.device, below: adapter).filter { path in
      byDevice[path] == nil && tree.properties(path, Interface.device).map(uart.isMeant(by:)) == true
    }
    return candidates.first { tree.property($0, Interface.device, "Connected")?.boolean == true }
      ?? candidates.first { tree.property($0, Interface.device, "RSSI") != nil }
      ?? candidates.first
  }

  private mutating func unbind(_ uart: BluetoothUART) {
    guard let device = uart.device else { return }
    if byDevice[device] === uart { byDevice[device] = nil }
    uart.device = nil
  }
}
