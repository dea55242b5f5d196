import Glibc

/// A small file that is replaced whole: whoever reads it sees the old or the new content, also after a crash.
struct StateFile: Sendable {
  /// nil keeps nothing.
  let path: String?
  /// A larger file is not ours. Bytes.
  var limit = 4 << 20

  var name: String { path ?? "the state file" }

  enum Reading {
    case missing
    case content([UInt8])
    /// Its content cannot be had, nor can what stands there be made sense of.
    case unusable(String)
    /// What is there is no file of ours, or cannot be opened.
    case failed(String)
  }

  func read() -> Reading {
    guard let path else { return .missing }
    // A pipe would be waited for.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return errno == ENOENT ? .missing : .failed(Self.errorWords) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return .failed("it is not a regular file")
    }
    var bytes: [UInt8] = []
    while bytes.count <= limit {
      var result = 0
      let chunk = [UInt8](unsafeUninitializedCapacity: 64 * 1024) { buffer, count in
        result = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        count = max(0, result)
      }
      if result < 0, errno == EINTR { continue }
      guard result >= 0 else { return .unusable(Self.errorWords) }
      if chunk.isEmpty { return .content(bytes) }
      bytes += chunk
    }
    return .unusable("it is larger than \(limit) bytes")
  }

  /// Gives the file another name, in place of what was set aside before.
  ///
  /// - Returns: the name, nil when it is where it was.
  func setAside() -> String? {
    guard let path else { return nil }
    let name = "\(path).damaged"
    return rename(path, name) == 0 ? name : nil
  }

  /// Blocks until the disk has answered. Nil when the new content is on the disk; else why it is not, and the old content
  /// is still there.
  func write(_ bytes: [UInt8]) -> String? {
    guard let path else { return nil }
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    Self.makeFolder(folder)
    let temporary = "\(path).new"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK, 0o600)
    guard descriptor >= 0 else { return Self.errorWords }
    var offset = 0
    while offset < bytes.count {
      let count = bytes[offset...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return Self.giveUp(descriptor, temporary) }
      offset += count
    }
    guard fsync(descriptor) == 0 else { return Self.giveUp(descriptor, temporary) }
    close(descriptor)
    guard rename(temporary, path) == 0 else {
      let words = Self.errorWords
      unlink(temporary)
      return words
    }
    Self.syncFolder(folder)
    return nil
  }

  /// Without it a power cut may leave the folder with the old file. Not every file system can do it.
  private static func syncFolder(_ path: String) {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }

  private static func giveUp(_ descriptor: Int32, _ temporary: String) -> String {
    let words = errorWords
    close(descriptor)
    unlink(temporary)
    return words
  }

  private static var errorWords: String { String(cString: strerror(errno)) }

  private static func makeFolder(_ path: String) {
    var parent = ""
    for part in path.split(separator: "/") {
      parent += (parent.isEmpty && !path.hasPrefix("/") ? "" : "/") + part
      mkdir(parent, 0o700)
    }
  }
}
