public import DeviceModel
public import EventLoop
import Glibc

/// Datagrams to and from one port of a board.
///
/// It is up as soon as the address is known: whether the board is there shows only when it answers, or when its host
/// says that nothing listens, which ends the link as ``LinkFailure/refused``. Datagrams from elsewhere are not
/// received; one that is lost is lost.
@Loop public final class UDPLink: Link {
  private let timeout: Duration
  private let lookUp: AddressLookUp
  private let attempt: LinkAttempt
  private let channel: ByteChannel

  /// What an Ethernet frame of 1500 bytes holds beside the headers of IPv4, and of IPv6, and of UDP.
  static let maximumPacket = (version4: 1472, version6: 1452)

  /// - Parameters:
  ///   - host: A name, or an address in digits; IPv6 without brackets.
  ///   - timeout: For the name look-up.
  public init(
    host: String, port: UInt16, timeout: Duration = .seconds(5), handler: @escaping LinkEvent.Handler
  ) {
    let lookUp = AddressLookUp(host: host, port: port)
    self.lookUp = lookUp
    self.timeout = timeout
    let attempt = LinkAttempt(timeout: timeout, handler: handler)
    attempt.letGo = { lookUp.giveUp() }
    self.attempt = attempt
    channel = ByteChannel(.datagrams) { attempt.take($0) }
  }

  isolated deinit { disconnect() }

  public var isReading: Bool {
    get { channel.isReading }
    set { channel.isReading = newValue }
  }

  public var hasUnsent: Bool { channel.hasUnsent }

  public func connect() {
    guard attempt.begin() else { return }
    lookUp.begin { [weak self] result in
      switch result {
      case .success(let addresses): self?.open(addresses)
      case .failure(let failure): self?.attempt.fail(failure)
      }
    }
  }

  public func disconnect() {
    lookUp.giveUp()
    attempt.abandon()
    channel.close()
  }

  public func send(_ send: Output.Send) { channel.send(send) }

  /// The first address to which there is a way is taken: none of them says more than that.
  private func open(_ addresses: [SocketAddress]) {
    var failure = LinkFailure.unreachable("no address")
    for address in addresses {
      let descriptor = SocketOptions.open(address.family, SOCK_DGRAM)
      guard descriptor >= 0 else {
        failure = SystemError.notConnected(-descriptor, timeout: timeout)
        continue
      }
      SocketOptions.prepareUDP(descriptor, family: address.family)
      guard address.withPointer({ Glibc.connect(descriptor, $0, $1) }) == 0 else {
        failure = SystemError.notConnected(errno, timeout: timeout)
        close(descriptor)
        continue
      }
      channel.open(descriptor)
      let isVersion4 = address.family == AF_INET
      attempt.succeed(
        maximumPacket: isVersion4 ? Self.maximumPacket.version4 : Self.maximumPacket.version6)
      return
    }
    attempt.fail(failure)
  }
}
