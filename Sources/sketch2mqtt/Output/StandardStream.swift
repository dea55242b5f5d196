import Glibc

/// Standard output and standard error, written at once and whole.
struct StandardStream {
  static let output = StandardStream(descriptor: STDOUT_FILENO)
  static let error = StandardStream(descriptor: STDERR_FILENO)

  let descriptor: Int32

  var isTerminal: Bool { isatty(descriptor) == 1 }

  /// Whether it leads to journald, which tells so by the device and inode of its socket.
  var isJournal: Bool {
    guard let variable = getenv("JOURNAL_STREAM") else { return false }
    var information = stat()
    return fstat(descriptor, &information) == 0
      && String(cString: variable) == "\(information.st_dev):\(information.st_ino)"
  }

  /// Waits for a reader that is slow; gives up when there is none.
  func write(_ text: String) { write(Array(text.utf8)) }

  func write(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 && errno != EINTR && errno != EAGAIN { return }
      if count < 0 && errno == EAGAIN { waitUntilWritable() }
      rest = rest.dropFirst(max(count, 0))
    }
  }

  /// Whether a line of at most ``LogFormat/longestLine`` bytes goes out without waiting.
  var isWritable: Bool {
    var state = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return poll(&state, 1, 0) == 1
  }

  private func waitUntilWritable() {
    var state = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    _ = poll(&state, 1, 1000)
  }
}
