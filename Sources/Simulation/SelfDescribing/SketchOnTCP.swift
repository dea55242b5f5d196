public import EventLoop

/// A self-describing board on a TCP port of 127.0.0.1; one client at a time, others wait.
@Loop public final class SketchOnTCP {
  public nonisolated let port: UInt16
  public let board: SimulatedSketchBoard
  private var listener: LoopbackListener?
  private var connection: PlugConnection?
  private var isPowered = true

  /// - Parameter port: 0 for a free one.
  public convenience init(_ sketch: SelfDescribingSketch, port: UInt16 = 0) throws(SocketFailure) {
    try self.init(SimulatedSketchBoard(sketch), port: port)
  }

  /// - Parameter port: 0 for a free one.
  public init(_ board: SimulatedSketchBoard, port: UInt16 = 0) throws(SocketFailure) {
    self.board = board
    let door = Door()
    let listener = try LoopbackListener(port: port) { door.board?.accept($0) }
    self.port = listener.port
    self.listener = listener
    door.board = self
    try listener.enter(.accepting)
  }

  private final class Door { weak var board: SketchOnTCP? }

  public func stop() {
    connection?.close()
    connection = nil
    listener?.stop()
    listener = nil
    board.stop()
  }

  /// The board is off: its client gets a reset, later ones are refused.
  public func cutPower() {
    isPowered = false
    connection?.reset()
    ended()
    try? listener?.enter(.closed)
  }

  public func returnPower() {
    isPowered = true
    try? listener?.enter(.accepting)
  }

  /// Nothing of what comes is taken, nor said, until set back: the system takes it, and the board gets it late.
  public var isStalled = false { didSet { connection?.isFrozen = isStalled } }

  private func accept(_ descriptor: Int32) {
    let connection = PlugConnection(descriptor, number: board.links + 1) { [weak self] bytes in
      self?.board.received(bytes)
    } ended: { [weak self] in
      self?.ended()
    }
    self.connection = connection
    try? listener?.enter(.paused)
    board.linkUp { [weak connection] bytes in
      connection?.send(bytes, after: .zero, segmentSize: nil, pause: .zero)
    }
  }

  private func ended() {
    connection = nil
    board.linkDown()
    if isPowered { try? listener?.enter(.accepting) }
  }
}
