public import DeviceModel
public import EventLoop

/// A serial port, USB or other, by its path.
///
/// The path is followed anew by each attempt: with one below `/dev/serial/by-id` a board is found again at whatever
/// port it is plugged in. Unplugging ends the link.
@Loop public final class SerialLink: Link {
  private let timeout: Duration
  private let bootTime: Duration
  private let handler: LinkEvent.Handler
  private let opening: BlockingCall<Result<Int32, LinkFailure>>
  private lazy var channel = ByteChannel(.terminal) { [weak self] in self?.take($0) }

  private var phase = Phase.idle
  private var timer: LoopTimer?

  private enum Phase: Equatable {
    case idle
    case opening
    case booting(Int32)
    case up
  }

  /// - Parameters:
  ///   - resets: Whether the board may reset each time the port is opened. Without, it does so at most at the first
  ///     opening after it was plugged in.
  ///   - bootTime: Between opening and ``LinkEvent/up(maximumPacket:)``: a board that was reset listens to its boot
  ///     loader first. What it says meanwhile is not lost.
  ///   - timeout: For opening.
  public init(
    path: String, speed: SerialSpeed, resets: Bool = false, bootTime: Duration = .zero,
    timeout: Duration = .seconds(5), handler: @escaping LinkEvent.Handler
  ) {
    self.timeout = timeout
    self.bootTime = bootTime
    self.handler = handler
    opening = BlockingCall {
      SerialPort.open(path: path, speed: speed, resets: resets)
    } discard: { result in
      if case .success(let descriptor) = result { SerialPort.close(descriptor) }
    }
  }

  isolated deinit { disconnect() }

  public var isReading: Bool {
    get { channel.isReading }
    set { channel.isReading = newValue }
  }

  public var hasUnsent: Bool { channel.hasUnsent }

  public func connect() {
    guard phase == .idle else { return }
    phase = .opening
    timer = LoopTimer(after: timeout) { [weak self] in
      guard let self else { return }
      fail(.timedOut(after: self.timeout))
    }
    do throws(LinkFailure) {
      try opening.begin { [weak self] in self?.opened($0) }
    } catch {
      timer?.cancel()
      timer = LoopTimer(after: .zero) { [weak self] in self?.fail(error) }
    }
  }

  public func disconnect() {
    abandon()
    channel.close()
  }

  public func send(_ send: Output.Send) { channel.send(send) }

  private func take(_ event: LinkEvent) {
    if case .down = event { phase = .idle }
    handler(event)
  }

  private func abandon() {
    timer?.cancel()
    timer = nil
    opening.giveUp()
    if case .booting(let descriptor) = phase { SerialPort.close(descriptor) }
    phase = .idle
  }

  private func fail(_ failure: LinkFailure) {
    abandon()
    handler(.down(failure))
  }

  private func opened(_ result: Result<Int32, LinkFailure>) {
    switch result {
    case .success(let descriptor):
      phase = .booting(descriptor)
      timer?.cancel()
      guard bootTime > .zero else { return start(descriptor) }
      timer = LoopTimer(after: bootTime) { [weak self] in self?.start(descriptor) }
    case .failure(let failure): fail(failure)
    }
  }

  private func start(_ descriptor: Int32) {
    timer = nil
    phase = .up
    channel.open(descriptor)
    handler(.up(maximumPacket: nil))
  }
}
