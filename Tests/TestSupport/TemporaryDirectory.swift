import FoundationEssentials
import Glibc

/// A private directory, gone with its last reference.
public final class TemporaryDirectory: Sendable {
  public let path: String

  public init() throws {
    let root = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(root)/sketch2mqtt-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw SystemFailure("mkdtemp") }
    path = template.withUnsafeBufferPointer { buffer in
      buffer.baseAddress.map { String(cString: $0) } ?? ""
    }
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of something inside.
  public func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

  /// - Returns: the file's path.
  @discardableResult
  public func write(_ text: String, to name: String, mode: UInt32 = 0o600) throws -> String {
    let file = self(name)
    let descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC, mode)
    guard descriptor >= 0 else { throw SystemFailure("open \(file)") }
    defer { close(descriptor) }
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { throw SystemFailure("write \(file)") }
      rest = rest.dropFirst(count)
    }
    return file
  }
}

/// A system call that failed, with `errno`'s words.
public struct SystemFailure: Error, CustomStringConvertible {
  public let description: String

  public init(_ what: String) { self.init(what, code: errno) }

  public init(_ what: String, code: Int32) {
    description = "\(what): \(String(cString: strerror(code)))"
  }
}
