import CLinux
import Glibc
import Synchronization

/// A real broker on a port of 127.0.0.1 of its own, in a private directory.
public final class Mosquitto: Sendable {
  public let port: UInt16
  public let directory: TemporaryDirectory
  private let configuration: String
  private let running = Mutex<ChildProcess?>(nil)

  public struct Options: Sendable {
    /// Keeps retained messages over a restart.
    public var persistence = false
    /// Names with their passwords; nobody else is let in.
    public var users: [String: String] = [:]
    /// The server's certificate, and whether clients need one too.
    public var certificates: TestCertificates?
    public var certificateName = "server"
    public var requiresClientCertificate = false
    /// Further lines of mosquitto.conf, such as `max_packet_size 1000`.
    public var lines: [String] = []

    public init() {}
  }

  /// Started when this returns.
  public init(_ options: Options = Options(), port: UInt16 = FreePort.take()) async throws {
    self.port = port
    directory = try TemporaryDirectory()
    configuration = try await Self.write(options, port: port, in: directory)
    try await start()
  }

  private static func write(
    _ options: Options, port: UInt16, in directory: TemporaryDirectory
  ) async throws -> String {
    var lines = [
      "user root", "listener \(port) 127.0.0.1", "log_dest stderr", "log_type all",
      "connection_messages true", "allow_anonymous \(options.users.isEmpty)", "set_tcp_nodelay true",
    ]
    if options.persistence {
      lines += ["persistence true", "persistence_location \(directory.path)/", "autosave_interval 1"]
      lines += ["autosave_on_changes true"]
    }
    if !options.users.isEmpty {
      let file = try directory.write("", to: "passwords")
      for (name, password) in options.users {
        try await ChildProcess.run("/usr/bin/mosquitto_passwd", ["-b", file, name, password])
      }
      lines.append("password_file \(file)")
    }
    if let certificates = options.certificates {
      lines += [
        "cafile \(certificates.authority)",
        "certfile \(certificates.certificate(options.certificateName))",
        "keyfile \(certificates.key(options.certificateName))",
        "require_certificate \(options.requiresClientCertificate)",
      ]
    }
    return try directory.write((lines + options.lines).joined(separator: "\n") + "\n", to: "mosquitto.conf")
  }

  /// Again, on the same port, after ``stop()`` or ``kill()``.
  public func start() async throws {
    let child = try ChildProcess("/usr/sbin/mosquitto", ["-c", configuration])
    running.withLock { $0 = child }
    try await child.errors.first(within: .seconds(60)) { $0.hasSuffix(" running") }
  }

  public func stop() async throws {
    try await taken()?.terminate()
  }

  /// As a power cut does it.
  public func kill() async throws {
    try await taken()?.kill9()
  }

  /// Keeps its sockets open and does nothing, until ``thaw()``.
  public func freeze() { running.withLock { $0?.send(SIGSTOP) } }
  public func thaw() { running.withLock { $0?.send(SIGCONT) } }

  /// The lines of its log since the last start.
  public var log: Inbox<String>? { running.withLock { $0?.errors } }

  private func taken() -> ChildProcess? {
    running.withLock { child in
      defer { child = nil }
      return child
    }
  }
}
