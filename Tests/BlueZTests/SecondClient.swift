import DBus
import EventLoop

/// Another program on the same bus: what BlueZ tells it and answers it, past the central.
@Loop struct SecondClient {
  let connection: DBusConnection

  static func connect(to address: String) async throws -> SecondClient {
    SecondClient(connection: try await DBusConnection.open(BusAddress(address)))
  }

  func close() { connection.close() }

  func call(
    _ path: String, _ interface: String, _ member: String, _ arguments: [DBusValue] = [],
    deadline: Duration = .seconds(10)
  ) async throws(DBusError) -> [DBusValue] {
    guard let path = ObjectPath(path) else { throw .unexpectedReply(signature: path) }
    return try await connection.call(
      MethodCall(to: "org.bluez", path, "org.bluez." + interface, member, arguments), deadline: deadline)
  }

  /// The error of a call, as `name: words`; empty when it succeeds.
  func refusal(
    _ path: String, _ interface: String, _ member: String, _ arguments: [DBusValue] = [],
    deadline: Duration = .seconds(10)
  ) async -> String {
    do throws(DBusError) {
      _ = try await call(path, interface, member, arguments, deadline: deadline)
      return ""
    } catch {
      return "\(error)"
    }
  }

  func objects() async throws(DBusError) -> [String] {
    let answer = try await connection.call(
      MethodCall(to: "org.bluez", .root, "org.freedesktop.DBus.ObjectManager", "GetManagedObjects"))
    return (answer.first?.entries ?? []).compactMap { $0.key.objectPath?.text }
  }
}
