import Foundation
import TestSupport
import Testing

/// `run` as a service of systemd, whose notification socket is played by the test.
struct ServiceTests {
  private let directory: TestSupport.TemporaryDirectory

  init() throws { directory = try TestSupport.TemporaryDirectory() }

  private func start(_ socket: NotifySocket, environment: [String: String] = [:]) throws -> ChildProcess {
    try directory.write("mqtt: { server: mqtt://127.0.0.1:\(FreePort.take()) }\n", to: "config.yaml")
    return try ChildProcess(
      Program.sketch2mqtt, ["run", "--config", directory("config.yaml")],
      environment: ["STATE_DIRECTORY": directory.path, "NOTIFY_SOCKET": socket.path].merging(environment) {
        $1
      })
  }

  @Test func `the service manager hears of ready, reload and stop in their order`() async throws {
    let socket = try NotifySocket(in: directory)
    let bridge = try start(socket)
    #expect(try socket.next().hasPrefix("READY=1"))
    bridge.send(SIGHUP)
    let reloading = try socket.next()
    #expect(reloading.hasPrefix("RELOADING=1\nMONOTONIC_USEC="))
    #expect(try socket.next().hasPrefix("READY=1"))
    bridge.send(SIGTERM)
    #expect(try socket.next().hasPrefix("STOPPING=1"))
    #expect(try await bridge.exit() == .code(0))
  }

  @Test func `the watchdog is fed again and again`() async throws {
    let socket = try NotifySocket(in: directory)
    let bridge = try start(socket, environment: ["WATCHDOG_USEC": "200000"])
    let messages = try (0..<4).map { _ in try socket.next() }
    #expect(messages.count { $0 == "WATCHDOG=1" } >= 3)
    #expect(try await bridge.terminate() == .code(0))
  }

  @Test func `a watchdog for another process is left alone`() async throws {
    let socket = try NotifySocket(in: directory)
    let bridge = try start(socket, environment: ["WATCHDOG_USEC": "1000", "WATCHDOG_PID": "1"])
    #expect(try socket.next().hasPrefix("READY=1"))
    bridge.send(SIGTERM)
    #expect(try socket.next().hasPrefix("STOPPING=1"))
    #expect(try await bridge.exit() == .code(0))
  }

  @Test func `a socket that is not there is no reason not to run`() async throws {
    let socket = try NotifySocket(in: directory)
    try FileManager.default.removeItem(atPath: socket.path)
    let bridge = try start(socket)
    try await bridge.errors.first { $0.contains("sketch2mqtt") }
    #expect(try await bridge.terminate() == .code(0))
  }
}

/// A datagram socket on which a service reports.
private final class NotifySocket {
  let path: String
  private let descriptor: Int32

  init(in directory: TestSupport.TemporaryDirectory) throws {
    path = directory("notify")
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let result = withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(result == 0)
    var limit = timeval(tv_sec: 20, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(descriptor) }

  /// The next message; fails after 20 s without one.
  func next() throws -> String {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    try #require(count > 0, "nothing was reported within 20 s")
    return String(decoding: buffer[..<count], as: UTF8.self)
  }
}
