public import DeviceModel
public import EventLoop
import Glibc

/// A TCP connection to a board.
///
/// Nagle's algorithm is off. A board that vanished without a word is noticed by keep-alive probes within 15 s, or,
/// when bytes wait for its acknowledgement or for room in its buffer, by the user time-out of 10 s.
@Loop public final class TCPLink: Link {
  private let timeout: Duration
  private let lookUp: AddressLookUp
  private let attempt: LinkAttempt
  private let channel: ByteChannel

  /// The address that is tried, and those after it.
  private var connecting: (watch: DescriptorWatch, remaining: ArraySlice<SocketAddress>)?
  /// When the whole attempt ends.
  private var deadline = MonotonicTime(nanoseconds: 0)

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
    let attempt = LinkAttempt(timeout: timeout, handler: handler)
    self.attempt = attempt
    channel = ByteChannel(.stream) { attempt.take($0) }
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
    deadline = MonotonicTime.now.advanced(by: timeout)
    lookUp.begin { [weak self] result in
      switch result {
      case .success(let addresses):
        self?.tryNext(addresses.prefix(Self.mostAddresses), after: .unreachable("no address"))
      case .failure(let failure): self?.attempt.fail(failure)
      }
    }
  }

  public func disconnect() {
    letGo()
    attempt.abandon()
    channel.close()
  }

  public func send(_ send: Output.Send) { channel.send(send) }

  private func letGo() {
    lookUp.giveUp()
    if let connecting { Self.close(connecting.watch) }
    connecting = nil
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
        connecting = (watch, addresses)
        giveTurn(before: addresses)
        return
      case .failure(let why): failure = why
      }
    }
    attempt.fail(failure)
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
    let share = MonotonicTime.now.duration(to: deadline) / (remaining.count + 1)
    attempt.wait(share) { [weak self] in
      guard let self else { return }
      leave(after: .timedOut(after: timeout))
    }
  }

  private func leave(after failure: LinkFailure) {
    guard let (watch, remaining) = connecting else { return }
    Self.close(watch)
    connecting = nil
    tryNext(remaining, after: failure)
  }

  private func finish() {
    guard let watch = connecting?.watch else { return }
    let code = SocketOptions.pendingError(watch.descriptor)
    guard code == 0 else { return leave(after: SystemError.notConnected(code, timeout: timeout)) }
    guard !SocketOptions.isConnectedToItself(watch.descriptor) else { return leave(after: .refused) }
    watch.cancel()
    connecting = nil
    channel.open(watch.descriptor)
    attempt.succeed(maximumPacket: nil)
  }
}
