import CLinux
import EventLoop
import Glibc

/// Opening and closing a serial port, which may block: a USB device that does not answer holds up `open`, and
/// `close` waits for what was written to leave.
enum SerialPort {
  /// The descriptor of the port, raw, 8 data bits, no parity, 1 stop bit, no flow control.
  ///
  /// - Parameter resets: Whether a board that resets when its DTR line rises may do so each time. False leaves DTR
  ///   as it is when the port is closed, so that only the first opening after plugging in resets it.
  static func open(path: String, speed: SerialSpeed, resets: Bool) -> Result<Int32, LinkFailure> {
    let descriptor = Glibc.open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return .failure(failure(errno, path)) }
    var settings = termios()
    guard tcgetattr(descriptor, &settings) == 0 else {
      Glibc.close(descriptor)
      return .failure(.unavailable("\(path) is not a serial port"))
    }
    cfmakeraw(&settings)
    settings.c_cflag |= tcflag_t(CLOCAL | CREAD)
    settings.c_cflag &= ~(tcflag_t(CSTOPB) | tcflag_t(CRTSCTS) | tcflag_t(HUPCL))
    if resets { settings.c_cflag |= tcflag_t(HUPCL) }
    cfsetispeed(&settings, speed.flag)
    cfsetospeed(&settings, speed.flag)
    guard tcsetattr(descriptor, TCSANOW, &settings) == 0 else {
      let words = SystemError.words
      Glibc.close(descriptor)
      return .failure(.unavailable("\(path) does not take \(speed.baud) baud: \(words)"))
    }
    // A second program on the port would take every other byte.
    _ = ioctl(descriptor, UInt(TIOCEXCL))
    return .success(descriptor)
  }

  /// Returns at once. On another thread what was written is given the time to leave, as the system allows.
  static func close(_ descriptor: Int32) {
    _ = ioctl(descriptor, UInt(TIOCNXCL))
    do throws(SystemCallFailure) {
      try DetachedThread.start { Glibc.close(descriptor) }
    } catch {
      tcflush(descriptor, TCOFLUSH)
      Glibc.close(descriptor)
    }
  }

  private static func failure(_ code: Int32, _ path: String) -> LinkFailure {
    switch code {
    case EBUSY: .refused
    case ENOENT, ENXIO, ENODEV: .unavailable("\(path) is not plugged in")
    case EACCES: .unavailable("no right to open \(path): the user is not in its group")
    default: .unavailable("\(path): \(SystemError.words(code))")
    }
  }
}
