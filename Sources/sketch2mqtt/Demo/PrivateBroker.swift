import EventLoop
import Glibc

/// A mosquitto of the demo's own: on a free port of 127.0.0.1, without passwords, keeping nothing.
@Loop final class PrivateBroker {
  let port: UInt16
  let process: CompanionProcess

  /// Its configuration lies in `directory`. Returns when it takes connections.
  static func start(in directory: ScratchDirectory) async throws(DemoFailure) -> PrivateBroker {
    guard let program = Executable.find("mosquitto") else { throw .noBroker }
    // Another program may take the port between our look and its start.
    for _ in 0..<4 {
      if let broker = try await attempt(program, directory) { return broker }
    }
    guard let broker = try await attempt(program, directory) else { throw .brokerEnded([]) }
    return broker
  }

  func stop() async { await process.stop() }

  private init(port: UInt16, process: CompanionProcess) {
    self.port = port
    self.process = process
  }

  /// nil when the port was taken.
  private static func attempt(
    _ program: String, _ directory: ScratchDirectory
  ) async throws(DemoFailure) -> PrivateBroker? {
    guard let port = LoopbackPort.free() else { throw .system("a free port", errno) }
    // As root it would change its user, and with that lose the bond to our life. Others cannot change theirs.
    let settings = """
      listener \(port) 127.0.0.1
      allow_anonymous true
      persistence false
      user \(geteuid() == 0 ? "root" : "mosquitto")
      log_dest stderr
      log_type error
      log_type warning

      """
    guard directory.write(settings, to: "mosquitto.conf") else { throw .system(directory.path, errno) }
    let process: CompanionProcess
    do throws(SystemCallFailure) {
      process = try CompanionProcess(program, ["-c", "\(directory.path)/mosquitto.conf"])
    } catch {
      throw .system(error.what, error.code)
    }
    for _ in 0..<500 where !process.hasEnded {
      if LoopbackPort.takesConnections(port) {
        return PrivateBroker(port: port, process: process)
      }
      try? await Loop.sleep(for: .milliseconds(10))
    }
    let hasEnded = process.hasEnded
    await process.stop()
    let words = process.lastWords
    if hasEnded && words.contains(where: { $0.hasSuffix("Address already in use") }) { return nil }
    throw .brokerEnded(words)
  }
}

/// Ports of 127.0.0.1.
enum LoopbackPort {
  /// One that nobody listens on at the moment; nil with `errno` set.
  static func free() -> UInt16? {
    withSocket { descriptor in
      guard withLoopback(0, { bind(descriptor, $0, $1) }) == 0 else { return nil }
      var address = sockaddr_in()
      var size = socklen_t(MemoryLayout<sockaddr_in>.size)
      let result = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
      }
      return result == 0 ? UInt16(bigEndian: address.sin_port) : nil
    }
  }

  static func takesConnections(_ port: UInt16) -> Bool {
    withSocket { descriptor in withLoopback(port, { connect(descriptor, $0, $1) }) == 0 ? true : nil }
      ?? false
  }

  private static func withSocket<T>(_ body: (Int32) -> T?) -> T? {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return body(descriptor)
  }

  private static func withLoopback(
    _ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }
}
