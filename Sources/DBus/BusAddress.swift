import Glibc

/// Where a bus listens: one or more `unix:` addresses of the D-Bus specification, tried in order.
public struct BusAddress: Hashable, Sendable, CustomStringConvertible {
  public let text: String

  /// Refuses other transports: connecting by TCP or by starting a program would block the loop, and descriptors
  /// pass over Unix sockets only.
  public init(_ text: String) throws(DBusError) {
    let parts = text.split(separator: ";")
    guard !parts.isEmpty, !text.utf8.contains(0), parts.allSatisfy({ $0.hasPrefix("unix:") }) else {
      throw .unreachable(
        name: "org.freedesktop.DBus.Error.BadAddress",
        message: "'\(text)' is no address of a bus: it must begin with 'unix:', such as unix:path=/run/dbus/x"
      )
    }
    self.text = text
  }

  private init(known text: String) { self.text = text }

  /// The system bus: `DBUS_SYSTEM_BUS_ADDRESS`, else its usual socket.
  public static func system() throws(DBusError) -> BusAddress {
    guard let variable = getenv("DBUS_SYSTEM_BUS_ADDRESS") else {
      return BusAddress(known: "unix:path=/run/dbus/system_bus_socket")
    }
    return try BusAddress(String(cString: variable))
  }

  public var description: String { text }
}
