import Glibc

/// Lines that a board is supposed to have sent: of the command line, of a file, or of standard input.
enum SampleLines {
  /// Of all samples together, in bytes.
  static let longest = 1 << 20

  enum Source: Equatable {
    case text(String)
    /// `-` is standard input.
    case file(String)
  }

  /// Why there are no samples.
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  /// Lines without their ends.
  static func read(_ source: Source) throws(Failure) -> [String] {
    let text: String
    switch source {
    case .text(let given): text = given
    case .file(let path):
      let descriptor = path == "-" ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else {
        throw Failure(description: "'\(path)' cannot be read: \(String(cString: strerror(errno)))")
      }
      defer { close(descriptor) }
      text = String(decoding: try bytes(of: descriptor, path), as: UTF8.self)
    }
    return text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }.map(String.init)
  }

  private static func bytes(of descriptor: Int32, _ path: String) throws(Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 * 1024)
    while true {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        throw Failure(description: "'\(path)' cannot be read: \(String(cString: strerror(errno)))")
      }
      guard count > 0 else { return bytes }
      bytes += chunk[..<count]
      guard bytes.count <= longest else {
        throw Failure(description: "'\(path)' is longer than \(longest) bytes")
      }
    }
  }
}
