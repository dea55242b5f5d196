import CLinux
public import EventLoop
import Glibc

/// A compiled sketch in the AVR simulator (`Tests/Arduino/Simulator`): a program of its own that runs in real time
/// and is driven by lines, as its README tells them.
@Loop public final class FirmwareSimulator {
  public enum Failure: Error, Sendable, Equatable {
    /// No socket, or a program that cannot be started, by `errno`.
    case notStarted(errno: Int32)
    /// It has ended, with its words on standard error.
    case ended
    /// The command, and what it said to it.
    case refused(String, String)
  }

  public let processID: Int32
  /// Where the sketch's serial port is, if it was asked for: a device, or a port of 127.0.0.1.
  public private(set) var serialDevice: String?
  public private(set) var serialPort: UInt16?
  public private(set) var hasEnded = false

  private let descriptor: Int32
  private var watch: DescriptorWatch?
  private var unfinishedLine: [UInt8] = []
  private var asked: [CheckedContinuation<String?, Never>] = []
  private var starting: CheckedContinuation<Void, Never>?
  private var isRunning = false
  private var ending: [CheckedContinuation<Void, Never>] = []
  private var pinHandlers: [String: @Loop (Bool, Duration) -> Void] = [:]

  private init(processID: Int32, descriptor: Int32) {
    self.processID = processID
    self.descriptor = descriptor
    watch = DescriptorWatch(descriptor, for: .readable) { [weak self] _ in self?.read() }
  }

  /// Starts `program` and returns when the sketch runs.
  /// - Parameter arguments: such as `--uart 0=pty`, `--eeprom FILE` or `--net=230=4000`.
  public static func start(
    _ program: String, sketch: String, _ arguments: [String]
  ) async throws(Failure) -> FirmwareSimulator {
    var pair: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &pair) == 0 else {
      throw .notStarted(errno: errno)
    }
    let words = [program, "--control", "-"] + arguments + [sketch]
    let processID: pid_t
    do throws(SystemCallFailure) {
      // When this process dies, the program's input ends, and it does too.
      defer { close(pair[1]) }
      processID = try ChildSpawn.start(words, descriptors: [pair[1], pair[1], STDERR_FILENO])
    } catch {
      close(pair[0])
      throw .notStarted(errno: error.code)
    }
    _ = fcntl(pair[0], F_SETFL, O_NONBLOCK)
    let simulator = FirmwareSimulator(processID: processID, descriptor: pair[0])
    await withCheckedContinuation { simulator.starting = $0 }
    guard simulator.isRunning else { throw .ended }
    return simulator
  }

  /// Drives an input from outside.
  public func set(_ pin: String, _ level: Bool) async throws(Failure) {
    try await ask("set \(pin) \(level ? 1 : 0)")
  }

  /// What analogRead() finds, 0 to 1023.
  public func set(analog channel: Int, reading: Int) async throws(Failure) {
    try await ask("adc A\(channel) raw=\(reading)")
  }

  /// The level of a pin, whoever drives it.
  public func level(of pin: String) async throws(Failure) -> Bool {
    try await ask("get \(pin)").hasSuffix("1")
  }

  /// Calls `body` at each change of a pin, with how long the sketch had run by then. That time stands still while
  /// the machine is too busy.
  public func watch(
    _ pin: String, _ body: @escaping @Loop (Bool, Duration) -> Void
  ) async throws(Failure) {
    pinHandlers[pin] = body
    try await ask("watch \(pin)")
  }

  /// Says a line of the simulator's language and returns what comes after its `ok`.
  @discardableResult
  public func ask(_ command: String) async throws(Failure) -> String {
    guard !hasEnded else { throw .ended }
    tell(command)
    guard let answer = await withCheckedContinuation({ asked.append($0) }) else { throw .ended }
    guard answer == "ok" || answer.hasPrefix("ok ") else { throw .refused(command, answer) }
    return String(answer.dropFirst(3))
  }

  /// Takes the power away and returns when the program has ended; the EEPROM's file is whole then. Safe to repeat.
  public func powerOff() async {
    guard !hasEnded else { return }
    kill(processID, SIGTERM)
    await withCheckedContinuation { ending.append($0) }
  }

  private func tell(_ line: String) {
    let bytes = Array(line.utf8) + [UInt8(ascii: "\n")]
    _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }

  // MARK: What it says

  private func read() {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(descriptor, &buffer, buffer.count)
    if count < 0 && (errno == EAGAIN || errno == EINTR) { return }
    guard count > 0 else { return end() }
    for byte in buffer[..<count] {
      if byte == UInt8(ascii: "\n") {
        take(String(decoding: unfinishedLine, as: UTF8.self))
        unfinishedLine = []
      } else if unfinishedLine.count < 10_000 {
        unfinishedLine.append(byte)
      }
    }
  }

  private func take(_ line: String) {
    let words = line.split(separator: " ").map(String.init)
    switch words.first {
    case "ok", "err":
      if !asked.isEmpty { asked.removeFirst().resume(returning: line) }
    case "event":
      if words.count == 4, let time = Double(words[3]) {
        pinHandlers[words[1]]?(words[2] == "1", .microseconds(time))
      }
    case "uart0":
      if words[1] == "pty" { serialDevice = words[2] }
      if words[1] == "tcp" { serialPort = words[2].split(separator: ":").last.flatMap { UInt16($0) } }
    case "running":
      isRunning = true
      starting?.resume()
      starting = nil
    default: break
    }
  }

  /// The end of what it says comes a moment before the process can be waited for, which then takes no time.
  private func end() {
    watch?.cancel()
    close(descriptor)
    var status: Int32 = 0
    while waitpid(processID, &status, 0) < 0, errno == EINTR {}
    hasEnded = true
    for continuation in asked { continuation.resume(returning: nil) }
    asked = []
    starting?.resume()
    starting = nil
    for continuation in ending { continuation.resume() }
    ending = []
    pinHandlers = [:]
  }
}
