import CLinux
public import DeviceModel
public import EventLoop
import Glibc

/// A TCP connection to a board.
///
/// Nagle's algorithm is off. A board that vanished without a word is noticed by keep-alive probes within about
/// 15 s, or, when bytes wait for its acknowledgement, by the user time-out of 10 s.
@Loop public final class TCPLink: Link {
  private let host: String
  private let port: UInt16
  private let timeout: Duration
  private let handler: LinkEvent.Handler

  private var phase = Phase.idle
  private var deadline: LoopTimer?
  private var outbox = Outbox()
  /// Counts the attempts, so that a late answer of a name look-up finds out that it is no longer asked for.
  private var attempt = 0

  private enum Phase {
    case idle
    case resolving
    case connecting(Socket, remaining: ArraySlice<SocketAddress>)
    case up(Socket)
  }

  /// A descriptor and its watch, which end together.
  @Loop private struct Socket {
    let watch: DescriptorWatch
    var descriptor: Int32 { watch.descriptor }

    func end() {
      watch.cancel()
      close(watch.descriptor)
    }
  }

  /// - Parameter timeout: For the whole attempt, the name look-up included.
  public init(
    host: String, port: UInt16, timeout: Duration = .seconds(5), handler: @escaping LinkEvent.Handler
  ) {
    self.host = host
    self.port = port
    self.timeout = timeout
    self.handler = handler
  }

  public var isReading = true {
    didSet {
      if case .up(let socket) = phase { setInterest(socket) }
    }
  }

  public func connect() {
    guard case .idle = phase else { return }
    isReading = true
    attempt += 1
    phase = .resolving
    deadline = LoopTimer(after: timeout) { [timeout] in self.end(.timedOut(after: timeout)) }
    let current = attempt
    AddressLookUp.resolve(host: host, port: port) { result in
      guard current == self.attempt, case .resolving = self.phase else { return }
      switch result {
      case .success(let addresses): self.connect(to: addresses[...], after: .unreachable("no address"))
      case .failure(let failure): self.end(failure)
      }
    }
  }

  public func disconnect() {
    attempt += 1
    deadline?.cancel()
    deadline = nil
    switch phase {
    case .idle, .resolving: break
    case .connecting(let socket, _), .up(let socket): socket.end()
    }
    phase = .idle
    _ = outbox.removeAll()
  }

  public func send(_ send: Output.Send) {
    guard case .up(let socket) = phase else {
      notSent([send.number].compactMap(\.self), "not connected")
      return
    }
    do throws(LinkFailure) {
      let superseded = try outbox.append(send, at: .nanoseconds(MonotonicTime.now.nanoseconds))
      notSent([superseded].compactMap(\.self), "superseded by a later command")
    } catch {
      endSoon(error)
      return
    }
    // What waits behind an unfinished write leaves when the socket takes more.
    if !socket.watch.interest.contains(.writable) { flush(socket) }
  }

  private func connect(to addresses: ArraySlice<SocketAddress>, after failure: LinkFailure) {
    guard let address = addresses.first else {
      end(failure)
      return
    }
    let remaining = addresses.dropFirst()
    let descriptor = socket(
      address.family, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else {
      end(.unavailable("no socket: \(SystemError.words)"))
      return
    }
    SocketOptions.prepare(descriptor)
    let result = address.withPointer { Glibc.connect(descriptor, $0, $1) }
    guard result == 0 || errno == EINPROGRESS else {
      let failure = SystemError.linkFailure
      close(descriptor)
      connect(to: remaining, after: failure)
      return
    }
    let watch = DescriptorWatch(descriptor, for: .writable) { self.isReady($0) }
    phase = .connecting(Socket(watch: watch), remaining: remaining)
  }

  private func isReady(_ readiness: Readiness) {
    switch phase {
    case .connecting(let socket, let remaining): finishConnecting(socket, remaining)
    case .up(let socket):
      if isReading ? readiness.contains(.readable) : !readiness.isDisjoint(with: .hungUp) { receive(socket) }
      if case .up(let socket) = phase, readiness.contains(.writable) { flush(socket) }
    case .idle, .resolving: break
    }
  }

  private func finishConnecting(_ socket: Socket, _ remaining: ArraySlice<SocketAddress>) {
    let code = SocketOptions.pendingError(socket.descriptor)
    guard code == 0 else {
      socket.end()
      connect(to: remaining, after: SystemError.linkFailure(code))
      return
    }
    deadline?.cancel()
    deadline = nil
    phase = .up(socket)
    socket.watch.interest = .readable
    handler(.up(maximumPacket: nil))
  }

  private func receive(_ socket: Socket) {
    var failure: LinkFailure?
    let bytes = [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
      let received = recv(socket.descriptor, buffer.baseAddress, buffer.count, 0)
      count = max(0, received)
      if received == 0 { failure = .closedByPeer }
      if received < 0, errno != EAGAIN, errno != EINTR { failure = SystemError.linkFailure }
    }
    if let failure {
      end(failure)
    } else if !bytes.isEmpty {
      handler(.received(bytes))
    }
  }

  private func flush(_ socket: Socket) {
    let now = Duration.nanoseconds(MonotonicTime.now.nanoseconds)
    notSent(outbox.dropExpired(at: now), "could not leave in time")
    while let head = outbox.head {
      let count = head.withUnsafeBytes {
        Glibc.send(socket.descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count >= 0 {
        if let number = outbox.advance(by: count) { handlerSoon(.sent(number)) }
      } else if errno == EAGAIN {
        break
      } else if errno != EINTR {
        endSoon(SystemError.linkFailure)
        return
      }
    }
    setInterest(socket)
  }

  private func setInterest(_ socket: Socket) {
    var interest: Readiness = []
    if isReading { interest.insert(.readable) }
    if !outbox.isEmpty { interest.insert(.writable) }
    socket.watch.interest = interest
  }

  private func end(_ failure: LinkFailure) {
    let unsent = outbox.removeAll()
    disconnect()
    for number in unsent { handler(.notSent(number, failure.description)) }
    handler(.down(failure))
  }

  /// Ends the connection after the caller, which is the link's owner, has returned.
  private func endSoon(_ failure: LinkFailure) {
    let current = attempt
    Loop.atTurnEnd {
      if current == self.attempt { self.end(failure) }
    }
  }

  private func notSent(_ numbers: [UInt64], _ why: String) {
    for number in numbers { handlerSoon(.notSent(number, why)) }
  }

  private func handlerSoon(_ event: LinkEvent) {
    let current = attempt
    Loop.atTurnEnd {
      if current == self.attempt { self.handler(event) }
    }
  }
}
