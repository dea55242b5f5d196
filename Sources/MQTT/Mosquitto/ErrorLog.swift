import Synchronization

/// The last errors the library logged, from whichever thread.
///
/// Only while connecting: the library formats a line for each packet when anybody listens.
final class ErrorLog: Sendable {
  private let lines = Mutex<[String]>([])

  private static let limit = 8

  func append(_ line: String) {
    lines.withLock { lines in
      if lines.count < Self.limit { lines.append(line) }
    }
  }

  /// - Returns: what was logged since the last call.
  func take() -> [String] {
    lines.withLock { lines in
      defer { lines = [] }
      return lines
    }
  }
}
