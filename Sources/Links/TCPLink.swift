public import DeviceModel
public import EventLoop
import Glibc

/// A TCP connection to a board.
///
/// Nagle's algorithm is off. A board that vanished without a word is noticed by keep-alive probes within 15 s, or,
/// when bytes wait for its acknowledgement or for room in its buffer, by the user time-out of 10 s.
@Loop public final class TCPLink: Link {
  private let timeout: Duration
  private let handler: LinkEvent.Handler
  private let lookUp: AddressLookUp
  private lazy var channel = ByteChannel(.stream) { [weak self] in self?.take($0) }

  private var phase = Phase.idle
  private var timer: LoopTimer?
  /// When the whole attempt ends.
  private var deadline = MonotonicTime(nanoseconds: 0)

  private enum Phase {
    case idle
    case resolving
    case connecting(DescriptorWatch, remaining: ArraySlice<SocketAddress>)
    case up
  }

  /// Addresses tried in one attempt; each gets its share of the time.
  static let mostAddresses = 6

  /// - Parameters:
  ///   - host: A name, or an address in digits; IPv6 without brackets.
  ///   - timeout: For the whole attempt, the name look-up included.
  public convenience init(
    host: String, port: UInt16, timeout: Duration = .seconds(5), handler: @escaping LinkEvent.Handler
  ) {
    self.init(AddressLookUp(host: host, port: port), timeout: timeout, handler: handler)
  }

  init(_ lookUp: AddressLookUp, timeout: Duration, handler: @escaping LinkEvent.Handler) {
    self.lookUp = lookUp
    self.timeout = timeout
    self.handler = handler
  }

  isolated deinit { disconnect() }

  public var isReading: Bool {
    get { channel.isReading }
    set { channel.isReading = newValue }
  }

  public var hasUnsent: Bool { channel.hasUnsent }

  public func connect() {
    guard case .idle = phase else { return }
    phase = .resolving
    deadline = MonotonicTime.now.advanced(by: timeout)
    timer = LoopTimer(after: timeout) { [weak self] in
      guard let self else { return }
      fail(.timedOut(after: self.timeout))
    }
    lookUp.begin { [weak self] result in
      switch result {
      case .success(let addresses):
        self?.tryNext(addresses.prefix(Self.mostAddresses), after: .unreachable("no address"))
      case .failure(let failure): self?.fail(failure)
      }
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
    lookUp.giveUp()
    if case .connecting(let watch, _) = phase { Self.close(watch) }
    phase = .idle
  }

  private func fail(_ failure: LinkFailure) {
    abandon()
    handler(.down(failure))
  }

  private static func close(_ watch: DescriptorWatch) {
    watch.cancel()
    Glibc.close(watch.descriptor)
  }

  // MARK: connecting

  private func tryNext(_ addresses: ArraySlice<SocketAddress>, after failure: LinkFailure) {
    var addresses = addresses
    var failure = failure
    while let address = addresses.popFirst() {
      switch begin(address) {
      case .success(let descriptor):
        let watch = DescriptorWatch(descriptor, for: .writable) { [weak self] _ in self?.finish() }
        phase = .connecting(watch, remaining: addresses)
        giveTurn(before: addresses)
        return
      case .failure(let why): failure = why
      }
    }
    fail(failure)
  }

  private func begin(_ address: SocketAddress) -> Result<Int32, LinkFailure> {
    let descriptor = SocketOptions.open(address.family, SOCK_STREAM)
    guard descriptor >= 0 else { return .failure(SystemError.notConnected(-descriptor, timeout: timeout)) }
    SocketOptions.prepareTCP(descriptor)
    let result = address.withPointer { Glibc.connect(descriptor, $0, $1) }
    let code = result == 0 ? EINPROGRESS : errno
    guard code == EINPROGRESS else {
      Glibc.close(descriptor)
      return .failure(SystemError.notConnected(code, timeout: timeout))
    }
    return .success(descriptor)
  }

  /// An address that does not answer must not take the time of those after it.
  private func giveTurn(before remaining: ArraySlice<SocketAddress>) {
    timer?.cancel()
    let share = MonotonicTime.now.duration(to: deadline) / (remaining.count + 1)
    timer = LoopTimer(after: share) { [weak self] in
      guard let self else { return }
      leave(after: .timedOut(after: timeout))
    }
  }

  private func leave(after failure: LinkFailure) {
    guard case .connecting(let watch, let remaining) = phase else { return }
    Self.close(watch)
    phase = .resolving
    tryNext(remaining, after: failure)
  }

  private func finish() {
    guard case .connecting(let watch, _) = phase else { return }
    let code = SocketOptions.pendingError(watch.descriptor)
    guard code == 0 else { return leave(after: SystemError.notConnected(code, timeout: timeout)) }
    guard !SocketOptions.isConnectedToItself(watch.descriptor) else { return leave(after: .refused) }
    timer?.cancel()
    timer = nil
    watch.cancel()
    phase = .up
    channel.open(watch.descriptor)
    handler(.up(maximumPacket: nil))
  }
}
