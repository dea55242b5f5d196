import Glibc

/// A regular file, read whole, within a bound, and without waiting for anybody at the other end of a pipe.
public struct FileContents {
  public var bytes: [UInt8]
  /// Every user of the machine may read it.
  public var isWorldReadable: Bool

  public enum Failure: Error, CustomStringConvertible {
    case notRegular
    case tooLarge(limit: Int)
    /// With the system's error number.
    case system(Int32)

    public var description: String {
      switch self {
      case .notRegular: "is not a regular file"
      case .tooLarge(let limit): "is larger than \(limit / 1024) kB"
      case .system(let number): "cannot be read: \(String(cString: strerror(number)))"
      }
    }
  }

  public init(path: String, maximumSize: Int) throws(Failure) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw .system(errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .system(errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegular }

    // One byte more than is allowed tells a file that is too large from one that just fits.
    var bytes = [UInt8](repeating: 0, count: min(Int(status.st_size), maximumSize) + 1)
    var count = 0
    while count <= maximumSize {
      if count == bytes.count { bytes.append(contentsOf: repeatElement(0, count: bytes.count)) }
      let result = bytes.withUnsafeMutableBytes { buffer in
        read(descriptor, buffer.baseAddress?.advanced(by: count), buffer.count - count)
      }
      if result < 0, errno == EINTR { continue }
      guard result >= 0 else { throw .system(errno) }
      guard result > 0 else { break }
      count += result
    }
    guard count <= maximumSize else { throw .tooLarge(limit: maximumSize) }
    self.bytes = Array(bytes[..<count])
    isWorldReadable = status.st_mode & S_IROTH != 0
  }

  /// Nil if the file can be opened for reading.
  static func obstacle(toReading path: String) -> Failure? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { return .system(errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return .system(errno) }
    return status.st_mode & S_IFMT == S_IFREG ? nil : .notRegular
  }
}
