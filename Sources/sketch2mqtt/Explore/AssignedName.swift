import Adapters
import DeviceModel

/// The name that Bluetooth has given to a UUID in its short form.
enum AssignedName {
  static func of(_ uuid: String) -> String? {
    BluetoothUUID(uuid).flatMap { AssignedNumbers.name(of: $0) }
  }
}
