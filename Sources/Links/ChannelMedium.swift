import Glibc

/// What kind of descriptor a channel reads and writes.
enum ChannelMedium: Hashable, Sendable {
  /// A connected stream socket.
  case stream
  /// A connected datagram socket; each send and each chunk received is one datagram.
  case datagrams
  /// A serial port.
  case terminal
  /// The reading end of a pipe.
  case pipe

  /// The most taken at once: of a stream so much that one board cannot keep the loop from the others, of datagrams
  /// whatever there may be.
  private var mostRead: Int { self == .datagrams ? 65535 : 4096 }

  static let longestRead = 65535

  private var isSocket: Bool { self == .stream || self == .datagrams }

  /// The count of bytes read into `buffer`, or the negated error.
  func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let size = min(buffer.count, mostRead)
    let count =
      isSocket
      ? recv(descriptor, buffer.baseAddress, size, 0) : Glibc.read(descriptor, buffer.baseAddress, size)
    return count >= 0 ? count : -Int(errno)
  }

  /// The count of bytes written, or the negated error.
  func write(_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) -> Int {
    let count = bytes.withUnsafeBytes { buffer in
      isSocket
        ? Glibc.send(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
        : Glibc.write(descriptor, buffer.baseAddress, buffer.count)
    }
    return count >= 0 ? count : -Int(errno)
  }

  /// What it means that a read brought no bytes and no error; nil when it is an empty datagram.
  var endOfBytes: LinkFailure? {
    switch self {
    case .stream, .pipe: .closedByPeer
    case .datagrams: nil
    case .terminal: .broken("the device was unplugged")
    }
  }

  func failure(_ code: Int32) -> LinkFailure {
    if self == .terminal, code == EIO || code == ENXIO || code == ENODEV {
      return .broken("the device was unplugged")
    }
    return SystemError.broken(code)
  }

  /// Whether the system still has something that was written: of a stream, what the peer's host did not acknowledge.
  func hasUnsent(_ descriptor: Int32) -> Bool {
    var count: Int32 = 0
    return ioctl(descriptor, UInt(TIOCOUTQ), &count) == 0 && count > 0
  }

  /// Closes `descriptor` without waiting.
  func close(_ descriptor: Int32) {
    if self == .terminal { SerialPort.close(descriptor) } else { Glibc.close(descriptor) }
  }
}
