import CLinux
public import EventLoop
import Glibc

/// A message bus of its own for a simulation: a `dbus-daemon` on a socket in a temporary folder, where everything
/// is allowed to whoever can reach the socket.
@Loop public final class PrivateBus {
  public enum Failure: Error, Sendable, Equatable {
    /// No temporary folder, socket or configuration file, by `errno`.
    case noPlace(errno: Int32)
    /// `dbus-daemon` cannot be started, by `errno`.
    case notStarted(errno: Int32)
    /// It ended or stayed silent before its socket was there.
    case silent
  }

  /// For clients, as in `DBUS_SYSTEM_BUS_ADDRESS`.
  public nonisolated let address: String
  public let processID: Int32

  private let folder: String
  private var isStopped = false

  private init(folder: String, address: String, processID: pid_t) {
    self.folder = folder
    self.address = address
    self.processID = processID
  }

  /// Starts the daemon and returns when clients can connect.
  public static func start() async throws(Failure) -> PrivateBus {
    let folder = try makeFolder()
    do throws(Failure) {
      let address = "unix:path=\(folder)/bus"
      try write(configuration(address), to: folder + "/bus.conf")
      var pair: [Int32] = [-1, -1]
      guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &pair) == 0 else {
        throw .noPlace(errno: errno)
      }
      defer { close(pair[0]) }
      let started = Result { () throws(Failure) in try spawn(folder + "/bus.conf", announcingTo: pair[1]) }
      close(pair[1])
      let bus = PrivateBus(folder: folder, address: address, processID: try started.get())
      guard await isReadable(pair[0], within: .seconds(10)), hasText(pair[0]) else {
        await bus.stop()
        throw .silent
      }
      return bus
    } catch {
      remove(folder)
      throw error
    }
  }

  /// Ends the daemon, and with it every connection to the bus, and removes the folder. Safe to repeat.
  public func stop() async {
    guard !isStopped else { return }
    isStopped = true
    let process = pidfd_open(processID, 0)
    kill(processID, SIGTERM)
    if process >= 0 {
      if await !Self.isReadable(process, within: .seconds(5)) { kill(processID, SIGKILL) }
      close(process)
    }
    var status: Int32 = 0
    waitpid(processID, &status, 0)
    Self.remove(folder)
  }

  // MARK: The daemon

  private static func configuration(_ address: String) -> String {
    """
    <busconfig>
      <type>simulation</type>
      <listen>\(address)</listen>
      <auth>EXTERNAL</auth>
      <policy context="default">
        <allow user="*"/>
        <allow own="*"/>
        <allow send_type="method_call"/>
        <allow send_type="signal"/>
        <allow send_requested_reply="true" send_type="method_return"/>
        <allow send_requested_reply="true" send_type="error"/>
        <allow receive_type="method_call"/>
        <allow receive_type="method_return"/>
        <allow receive_type="error"/>
        <allow receive_type="signal"/>
      </policy>
    </busconfig>
    """
  }

  /// Starts the daemon with `descriptor` as its 3, to which it writes its address.
  private static func spawn(_ configuration: String, announcingTo descriptor: Int32) throws(Failure) -> pid_t
  {
    // With the bus' own parent gone, nobody would ever stop it.
    let tether = "/usr/bin/setpriv"
    let tethered = access(tether, X_OK) == 0
    let words =
      (tethered ? [tether, "--pdeathsig", "TERM"] : [])
      + ["dbus-daemon", "--config-file=" + configuration, "--nofork", "--nopidfile", "--print-address=3"]

    do throws(SystemCallFailure) {
      // It complains about limits that it may not raise, which matters to nobody here.
      return try ChildSpawn.start(words, descriptors: [nil, nil, nil, descriptor])
    } catch {
      throw .notStarted(errno: error.code)
    }
  }

  /// Waits for a socket with something in it or an ended process.
  private static func isReadable(_ descriptor: Int32, within limit: Duration) async -> Bool {
    let wait = ReadabilityWait()
    return await Loop.suspend { continuation in
      wait.start(descriptor, within: limit) { continuation.resume(returning: $0) }
    }
  }

  private static func hasText(_ descriptor: Int32) -> Bool {
    var byte: UInt8 = 0
    return read(descriptor, &byte, 1) == 1
  }

  // MARK: The folder

  private static func makeFolder() throws(Failure) -> String {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array((parent + "/bus-XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else { throw .noPlace(errno: errno) }
    return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  private static func write(_ text: String, to path: String) throws(Failure) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .noPlace(errno: errno) }
    defer { close(descriptor) }
    let bytes = Array(text.utf8)
    guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count else { throw .noPlace(errno: errno) }
  }

  private static func remove(_ folder: String) {
    unlink(folder + "/bus.conf")
    unlink(folder + "/bus")
    rmdir(folder)
  }
}

/// One wait for a descriptor, with a limit.
@Loop private final class ReadabilityWait {
  private var watch: DescriptorWatch?
  private var timer: LoopTimer?

  init() {}

  func start(_ descriptor: Int32, within limit: Duration, done: @escaping @Loop (Bool) -> Void) {
    func end(_ isReady: Bool) {
      watch?.cancel()
      timer?.cancel()
      done(isReady)
    }
    watch = DescriptorWatch(descriptor, for: .readable) { _ in end(true) }
    timer = LoopTimer(after: limit) { end(false) }
  }
}
