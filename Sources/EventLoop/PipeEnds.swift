import Glibc

/// Both ends of a pipe, of which the reading one does not block and no child process inherits either. Whoever has it
/// closes them.
public struct PipeEnds: Sendable {
  public let reading: Int32
  public let writing: Int32

  public init() throws(SystemCallFailure) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw SystemCallFailure("no pipe") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    reading = ends[0]
    writing = ends[1]
  }

  public func close() {
    Glibc.close(reading)
    Glibc.close(writing)
  }
}
