import EventLoop
import Glibc
import TestSupport
import Testing

/// A serial port without hardware: what is written at one end comes out at the other.
@Loop final class PseudoTerminal {
  /// The port's path, as long as it is plugged in.
  let path: String
  private let board: Int32
  private var isPluggedIn = true

  init() throws {
    // What posix_openpt, unlockpt and ptsname do, which Swift does not import.
    let board = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    var isLocked: Int32 = 0
    var number: Int32 = 0
    let (setLock, getNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)
    guard board >= 0, ioctl(board, setLock, &isLocked) == 0, ioctl(board, getNumber, &number) == 0 else {
      throw SystemFailure("pseudo terminal")
    }
    self.board = board
    path = "/dev/pts/\(number)"
  }

  isolated deinit { unplug() }

  func unplug() {
    if isPluggedIn { close(board) }
    isPluggedIn = false
  }

  func write(_ bytes: [UInt8]) {
    let count = Glibc.write(board, bytes, bytes.count)
    #expect(count == bytes.count)
  }

  func read(_ count: Int) async throws -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while bytes.count < count {
      try await ready(board, .readable)
      let got = Glibc.read(board, &buffer, min(buffer.count, count - bytes.count))
      if got <= 0 { break }
      bytes += buffer[..<got]
    }
    return bytes
  }

  var settings: termios {
    var settings = termios()
    tcgetattr(board, &settings)
    return settings
  }
}

extension PseudoTerminal {
  /// Whether a program has the port for itself. Asks by opening it, which the superuser may all the same.
  var isExclusive: Bool {
    let port = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    guard port >= 0 else { return errno == EBUSY }
    defer { close(port) }
    var value: Int32 = 0
    let askExclusive: UInt = 0x8004_5440
    _ = ioctl(port, askExclusive, &value)
    return value != 0
  }
}

/// The descriptors of this process that are open on the file at `path`.
func descriptors(of path: String) -> [Int32] {
  openDescriptors().filter { descriptor in
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/fd/\(descriptor)", &buffer, buffer.count)
    return String(decoding: buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self) == path
  }
}
