import EventLoop
import Glibc

/// Lines in and lines out.
@Loop final class Console {
  private var watch: DescriptorWatch?
  private var unfinished: [UInt8] = []
  private let line: @Loop (String) -> Void
  private var end: CheckedContinuation<Void, Never>?
  private var hasEnded = false

  /// Reads standard input from now on and calls `line` with each line of it.
  init(line: @escaping @Loop (String) -> Void) {
    self.line = line
    watch = DescriptorWatch(STDIN_FILENO, for: .readable) { [weak self] _ in self?.read() }
  }

  /// Returns when nothing more can come.
  func ended() async {
    if hasEnded { return }
    await withCheckedContinuation { end = $0 }
  }

  static func write(_ text: String) {
    var rest = Array((text + "\n").utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  private func read() {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(STDIN_FILENO, &buffer, buffer.count)
    guard count > 0 else {
      watch?.cancel()
      hasEnded = true
      end?.resume()
      return
    }
    unfinished += buffer.prefix(count)
    while let newline = unfinished.firstIndex(of: 0x0A) {
      line(String(decoding: unfinished[..<newline], as: UTF8.self))
      unfinished.removeFirst(newline + 1)
    }
  }
}
