import CLinux

/// A speed at which serial ports run.
public struct SerialSpeed: Hashable, Sendable {
  /// Bits in a second.
  public let baud: Int

  /// nil when it is none of ``all``.
  public init?(baud: Int) {
    guard Self.flags[baud] != nil else { return nil }
    self.baud = baud
  }

  /// Every speed, the slowest first.
  public static var all: [Int] { flags.keys.sorted() }

  /// The word of termios for it.
  var flag: speed_t { speed_t(Self.flags[baud] ?? B0) }

  private static let flags: [Int: Int32] = [
    300: B300, 600: B600, 1200: B1200, 2400: B2400, 4800: B4800, 9600: B9600, 19200: B19200, 38400: B38400,
    57600: B57600, 115_200: B115200, 230_400: B230400, 460_800: B460800, 500_000: B500000, 576_000: B576000,
    921_600: B921600, 1_000_000: B1000000, 1_152_000: B1152000, 1_500_000: B1500000, 2_000_000: B2000000,
    2_500_000: B2500000, 3_000_000: B3000000, 3_500_000: B3500000, 4_000_000: B4000000,
  ]
}
