import CDBus

@testable import DBus

/// Messages as bytes, by libdbus itself.
enum BusWire {
  /// The values of a message; nil when libdbus refuses it.
  static func values(of bytes: [UInt8]) -> [DBusValue]? {
    var error = CDBus.DBusError()
    dbus_error_init(&error)
    defer { dbus_error_free(&error) }
    let pointer = bytes.withUnsafeBytes { buffer in
      dbus_message_demarshal(
        buffer.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(buffer.count), &error)
    }
    guard let pointer else { return nil }
    let message = OwnedMessage(pointer)
    return MessageReader.values(of: message.pointer)
  }

  /// A signal with these values; nil when memory is out.
  static func bytes(of values: [DBusValue]) throws(DBusEncodingError) -> [UInt8]? {
    guard let pointer = dbus_message_new_signal("/fuzz", "org.example.Fuzz", "Values") else { return nil }
    let message = OwnedMessage(pointer)
    try MessageWriter.append(values, to: message.pointer)
    dbus_message_set_serial(message.pointer, 1)
    var start: UnsafeMutablePointer<CChar>?
    var count: Int32 = 0
    guard dbus_message_marshal(message.pointer, &start, &count) != 0, let start else { return nil }
    defer { dbus_free(start) }
    return UnsafeRawBufferPointer(start: start, count: Int(count)).map { $0 }
  }
}
