import CDBus

/// One reference to a message of libdbus. References are counted atomically there, so that the last may go
/// anywhere.
struct OwnedMessage: ~Copyable {
  let pointer: OpaquePointer

  /// Takes over one reference.
  init(_ pointer: OpaquePointer) { self.pointer = pointer }

  deinit { dbus_message_unref(pointer) }
}
