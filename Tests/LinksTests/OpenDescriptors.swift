import EventLoop
import Glibc

@testable import Links

/// The descriptors that this process has open.
func openDescriptors() -> [Int32] {
  guard let directory = opendir("/proc/self/fd") else { return [] }
  defer { closedir(directory) }
  var numbers: [Int32] = []
  while let entry = readdir(directory) {
    let name = withUnsafeBytes(of: entry.pointee.d_name) { $0.prefix { $0 != 0 }.map(\.self) }
    if let number = Int32(String(decoding: name, as: UTF8.self)) { numbers.append(number) }
  }
  return numbers
}

/// The sockets of this process that are connected to this port.
@Loop func sockets(connectedTo port: UInt16, type: __socket_type = SOCK_STREAM) -> [Int32] {
  openDescriptors().filter { descriptor in
    var own: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &own, &size)
    return own == Int32(type.rawValue) && SocketAddress(of: descriptor, far: true)?.port == port
  }
}

/// Whether any epoll of this process watches the descriptor, by what the system says about each.
func isInEpoll(_ descriptor: Int32) -> Bool {
  openDescriptors().contains { epoll in
    guard let file = fopen("/proc/self/fdinfo/\(epoll)", "r") else { return false }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, 256, file) != nil {
      let words = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        .split(separator: " ", omittingEmptySubsequences: true)
      if words.first == "tfd:", words.count > 1, Int32(words[1]) == descriptor { return true }
    }
    return false
  }
}
