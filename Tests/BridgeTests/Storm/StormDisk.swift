import Glibc
import TestSupport

/// What the bridge keeps its memory on. A small file system is really filled up; elsewhere another file plays it.
struct StormDisk: Sendable {
  /// As the bridge knows it.
  let stateFile: String
  let isSmall: Bool

  /// The bridge replaces its file by way of this one.
  private var temporary: String { stateFile + ".new" }
  private var filler: String { stateFile + ".filler" }

  func begin(_ fault: StormFault.DiskFault) throws {
    switch fault {
    case .full where isSmall: try fill()
    case .full: symlink("/dev/full", temporary)
    case .unwritable: mkdir(temporary, 0o700)
    case .damaged: try damage()
    }
  }

  func end(_ fault: StormFault.DiskFault) {
    switch fault {
    case .full: for path in [filler, temporary] { unlink(path) }
    case .unwritable: rmdir(temporary)
    case .damaged: break
    }
  }

  /// Until not one byte more goes onto the disk.
  private func fill() throws {
    try withFile(filler) { descriptor in
      let block = [UInt8](repeating: 0x78, count: 4096)
      for size in [block.count, 1] {
        while Glibc.write(descriptor, block, size) > 0 {}
        guard errno == ENOSPC else { throw SystemFailure("write \(filler)") }
      }
    }
  }

  /// What a damaged file holds.
  static let damage = "{\"topics\":["

  private func damage() throws {
    try withFile(stateFile) { _ = Glibc.write($0, Self.damage, Self.damage.utf8.count) }
  }

  private func withFile(_ path: String, _ body: (Int32) throws -> Void) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    guard descriptor >= 0 else { throw SystemFailure("open \(path)") }
    defer { close(descriptor) }
    try body(descriptor)
  }
}
