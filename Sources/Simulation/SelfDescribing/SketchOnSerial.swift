public import EventLoop
import Glibc

/// A self-describing board on a serial port: a pseudo terminal, found by a name of its own like those below
/// /dev/serial/by-id.
@Loop public final class SketchOnSerial {
  /// A symbolic link to the port as long as it is plugged in.
  public nonisolated let path: String
  public let board: SimulatedSketchBoard
  /// The board starts anew whenever a program opens the port, as an UNO does.
  public var resetsWhenOpened: Bool
  private var master: Int32 = -1
  private var watch: DescriptorWatch?
  private var isOpen = false
  private var poll: LoopTimer?

  /// - Parameter path: Where the port's name is to be; its folder is there.
  public convenience init(_ sketch: SelfDescribingSketch, path: String, resetsWhenOpened: Bool = true)
    throws(SocketFailure)
  {
    try self.init(SimulatedSketchBoard(sketch), path: path, resetsWhenOpened: resetsWhenOpened)
  }

  /// - Parameter path: Where the port's name is to be; its folder is there.
  public init(_ board: SimulatedSketchBoard, path: String, resetsWhenOpened: Bool = true)
    throws(SocketFailure)
  {
    self.path = path
    self.resetsWhenOpened = resetsWhenOpened
    self.board = board
    try plugIn()
  }

  public func stop() {
    unplug()
    board.stop()
  }

  public func plugIn() throws(SocketFailure) {
    guard master < 0 else { return }
    let master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    var isLocked: Int32 = 0
    var number: Int32 = 0
    // TIOCSPTLCK and TIOCGPTN.
    let (setLock, getNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)
    guard master >= 0, ioctl(master, setLock, &isLocked) == 0, ioctl(master, getNumber, &number) == 0 else {
      throw SocketFailure("pseudo terminal")
    }
    // Only a terminal that was open once tells that it is not.
    let once = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
    if once >= 0 { close(once) }
    unlink(path)
    guard symlink("/dev/pts/\(number)", path) == 0 else {
      close(master)
      throw SocketFailure("symlink")
    }
    self.master = master
    look()
  }

  public func unplug() {
    guard master >= 0 else { return }
    unlink(path)
    poll?.cancel()
    watch?.cancel()
    watch = nil
    close(master)
    master = -1
    isOpen = false
    board.linkDown()
  }

  /// A terminal's master hangs up while no program has its other end open, and tells nobody when one opens it.
  private func look() {
    var state = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
    _ = Glibc.poll(&state, 1, 0)
    if state.revents & Int16(POLLHUP) == 0 {
      opened()
    } else {
      // Whatever the last program has left.
      poll = LoopTimer(after: .milliseconds(20)) { [weak self] in self?.look() }
    }
  }

  private func opened() {
    isOpen = true
    watch = DescriptorWatch(master, for: .readable) { [weak self] readiness in self?.handle(readiness) }
    board.linkUp(restarts: resetsWhenOpened) { [weak self] bytes in self?.write(bytes) }
  }

  private func closed() {
    guard isOpen else { return }
    isOpen = false
    board.linkDown(notices: resetsWhenOpened)
  }

  private func handle(_ readiness: Readiness) {
    var buffer = [UInt8](repeating: 0, count: 1024)
    let count = read(master, &buffer, buffer.count)
    if count > 0 { return board.received(Array(buffer.prefix(count))) }
    guard !readiness.isDisjoint(with: .hungUp) || (count < 0 && errno == EIO) else { return }
    watch?.cancel()
    watch = nil
    closed()
    look()
  }

  private func write(_ bytes: [UInt8]) {
    guard master >= 0 else { return }
    _ = Glibc.write(master, bytes, bytes.count)
  }
}
