public import DeviceModel
public import EventLoop

/// A serial port, USB or other, by its path.
///
/// The path is followed anew by each attempt: with one below `/dev/serial/by-id` a board is found again at whatever
/// port it is plugged in. Unplugging ends the link.
@Loop public final class SerialLink: Link {
  private let bootTime: Duration
  private let opening: BlockingCall<Result<Int32, LinkFailure>>
  private let attempt: LinkAttempt
  private let channel: ByteChannel
  /// Of a port that is open while its board restarts.
  private var booting: Int32?

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
    self.bootTime = bootTime
    let attempt = LinkAttempt(timeout: timeout, handler: handler)
    self.attempt = attempt
    channel = ByteChannel(.terminal) { attempt.take($0) }
    opening = BlockingCall {
      SerialPort.open(path: path, speed: speed, resets: resets)
    } discard: { result in
      if case .success(let descriptor) = result { SerialPort.close(descriptor) }
    }
    attempt.letGo = { [weak self] in self?.letGo() }
  }

  isolated deinit { disconnect() }

  public var isReading: Bool {
    get { channel.isReading }
    set { channel.isReading = newValue }
  }

  public var hasUnsent: Bool { channel.hasUnsent }

  public func connect() {
    guard attempt.begin() else { return }
    do throws(LinkFailure) {
      try opening.begin { [weak self] in self?.opened($0) }
    } catch {
      attempt.wait(.zero) { [weak self] in self?.attempt.fail(error) }
    }
  }

  public func disconnect() {
    letGo()
    attempt.abandon()
    channel.close()
  }

  public func send(_ send: Output.Send) { channel.send(send) }

  private func letGo() {
    opening.giveUp()
    if let booting { SerialPort.close(booting) }
    booting = nil
  }

  private func opened(_ result: Result<Int32, LinkFailure>) {
    switch result {
    case .success(let descriptor):
      booting = descriptor
      if bootTime > .zero { attempt.wait(bootTime) { [weak self] in self?.start() } } else { start() }
    case .failure(let failure): attempt.fail(failure)
    }
  }

  private func start() {
    guard let descriptor = booting else { return }
    booting = nil
    channel.open(descriptor)
    attempt.succeed(maximumPacket: nil)
  }
}
