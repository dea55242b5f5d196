import Glibc

/// What the process occupies.
struct ProcessMemory: Hashable, Sendable {
  var residentKilobytes = 0
  /// Resident without what comes from files, which processes share.
  var privateKilobytes = 0

  /// From `/proc/self/statm`; zeros where that cannot be read.
  static var current: ProcessMemory {
    var memory = ProcessMemory()
    let descriptor = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return memory }
    defer { close(descriptor) }
    let bytes = [UInt8](unsafeUninitializedCapacity: 128) { buffer, count in
      count = max(0, read(descriptor, buffer.baseAddress, buffer.count))
    }
    let pages = String(decoding: bytes, as: UTF8.self).split(separator: " ").map { Int($0) ?? 0 }
    guard pages.count >= 3 else { return memory }
    let pageKilobytes = sysconf(Int32(_SC_PAGESIZE)) / 1024
    memory.residentKilobytes = pages[1] * pageKilobytes
    memory.privateKilobytes = (pages[1] - pages[2]) * pageKilobytes
    return memory
  }
}
