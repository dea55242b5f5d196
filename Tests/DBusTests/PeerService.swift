import DBus
import EventLoop

/// A service of a test: two connections to one bus, the server's with a name.
@Loop struct PeerService {
  static let name = "org.example.Service"
  static let path = ObjectPath("/org/example/thing") ?? .root
  static let interface = "org.example.Thing"

  let server: DBusConnection
  let client: DBusConnection

  static func open(_ address: String) async throws -> PeerService {
    let address = try BusAddress(address)
    let service = PeerService(
      server: try await DBusConnection.open(address), client: try await DBusConnection.open(address))
    _ = try await service.server.requestName(name)
    return service
  }

  func call(_ member: String, _ arguments: [DBusValue] = []) -> MethodCall {
    MethodCall(to: Self.name, Self.path, Self.interface, member, arguments)
  }

  func close() {
    client.close()
    server.close()
  }
}
