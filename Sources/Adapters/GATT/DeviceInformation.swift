import DeviceModel

/// The Device Information service: who made the board, and what it is.
struct DeviceInformation: Hashable, Sendable {
  private static let service = BluetoothUUID(assigned: 0x180A)
  private static let manufacturer = AttributeID(BluetoothUUID(assigned: 0x2A29), of: service)
  private static let model = AttributeID(BluetoothUUID(assigned: 0x2A24), of: service)
  private static let software = AttributeID(BluetoothUUID(assigned: 0x2A28), of: service)
  private static let firmware = AttributeID(BluetoothUUID(assigned: 0x2A26), of: service)

  private var texts: [AttributeID: String] = [:]

  var characteristics: [AttributeID] { [Self.manufacturer, Self.model, Self.firmware, Self.software] }

  /// False for what is not part of it.
  mutating func take(_ bytes: [UInt8], of id: AttributeID) -> Bool {
    guard characteristics.contains(id) else { return false }
    let end = bytes.lastIndex { $0 != 0 && $0 != 0x20 }.map { $0 + 1 } ?? 0
    let text = String(decoding: bytes[..<end].prefix(Self.longest), as: UTF8.self)
    if text.unicodeScalars.allSatisfy({ !$0.isFormatting }), !text.isEmpty { texts[id] = text }
    return true
  }

  static let longest = 100

  func description(of present: DeviceDescription) -> DeviceDescription {
    var description = present
    description.manufacturer = texts[Self.manufacturer] ?? present.manufacturer
    description.model = texts[Self.model] ?? present.model
    description.softwareVersion = texts[Self.software] ?? texts[Self.firmware] ?? present.softwareVersion
    return description
  }
}
