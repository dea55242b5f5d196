import Glibc

/// A directory that only its owner may enter, until ``remove()``.
struct ScratchDirectory {
  let path: String

  /// Below TMPDIR, or /tmp. nil with `errno` set when that is not possible.
  init?(_ prefix: String) {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? ""
    var template = Array("\(parent.hasPrefix("/") ? parent : "/tmp")/\(prefix)-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { return nil }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Writes a file of its owner's in it; false with `errno` set when that is not possible.
  func write(_ text: String, to name: String) -> Bool {
    let descriptor = open("\(path)/\(name)", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    let bytes = Array(text.utf8)
    return Glibc.write(descriptor, bytes, bytes.count) == bytes.count
  }

  /// Removes it with all that is in it.
  func remove() { Self.remove(path) }

  private static func remove(_ path: String) {
    if unlink(path) == 0 { return }
    if let directory = opendir(path) {
      while let entry = readdir(directory) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
          pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if name != "." && name != ".." { remove("\(path)/\(name)") }
      }
      closedir(directory)
    }
    rmdir(path)
  }
}
