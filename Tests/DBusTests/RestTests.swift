import DBus
import EventLoop
import Simulation
import TestSupport
import Testing

/// A connection that leaves what arrives unread for a while, on a real dbus-daemon.
@Suite(.serialized, .timeLimit(.minutes(4)))
struct RestTests {
  init() { #expect(LoopThread.started) }

  /// Longer than any test waits: what arrives arrives because the rest was ended.
  private static let forever = Duration.seconds(3600)

  /// Answered by the bus itself, after all that it had to pass on before.
  private static let identify = MethodCall(
    to: DBusConnection.busName, ObjectPath("/org/freedesktop/DBus") ?? .root, DBusConnection.busName, "GetId")

  @Loop private var rule: MatchRule { MatchRule(path: PeerService.path, interface: PeerService.interface) }

  /// A service and what its client hears of the signals `Heard`, by their number.
  @Loop private func withListener(
    _ body: @Loop (PeerService, Ear, PrivateBus) async throws -> Void
  ) async throws {
    let bus = try await PrivateBus.start()
    let service = try await PeerService.open(bus.address)
    let ear = Ear()
    let subscription = service.client.subscribe(rule) { ear.hear($0) }
    _ = try await service.client.call(Self.identify)
    var failure: (any Error)?
    do { try await body(service, ear, bus) } catch { failure = error }
    subscription.cancel()
    service.close()
    await bus.stop()
    if let failure { throw failure }
  }

  @Loop private final class Ear {
    private(set) var numbers: [UInt32] = []
    private let (arrivals, arrival) = AsyncStream<UInt32>.makeStream()

    func hear(_ signal: DBusSignal) {
      guard let number = signal.arguments.first?.uint32 else { return }
      numbers.append(number)
      arrival.yield(number)
    }

    func wait(for number: UInt32) async {
      for await arrived in arrivals where arrived == number { return }
    }
  }

  /// Sends the signals and returns when the bus has passed them on: it has answered a call sent after them.
  @Loop private func emit(_ numbers: ClosedRange<UInt32>, by service: PeerService) async throws {
    for number in numbers {
      try service.server.emit(PeerService.path, PeerService.interface, "Heard", [.uint32(number)])
    }
    _ = try await service.server.call(Self.identify)
  }

  @Loop @Test func `a resting connection hears nothing, and all in order once a call ends the rest`()
    async throws
  {
    try await withListener { service, ear, _ in
      service.client.rest(for: Self.forever)
      try await emit(1...300, by: service)
      #expect(ear.numbers.isEmpty)
      #expect(service.client.isResting)
      _ = try await service.client.call(Self.identify)
      #expect(ear.numbers == Array(1...300))
      #expect(!service.client.isResting)
    }
  }

  @Loop @Test func `a rest ends by itself`() async throws {
    try await withListener { service, ear, _ in
      service.client.rest(for: .milliseconds(20))
      try await emit(1...3, by: service)
      await ear.wait(for: 3)
      #expect(ear.numbers == [1, 2, 3])
    }
  }

  @Loop @Test func `an open call keeps a connection awake`() async throws {
    try await withListener { service, ear, _ in
      var kept: [IncomingCall] = []
      service.server.export(at: PeerService.path) { kept.append($0) }
      let call = service.client.send(service.call("Wait")) { _ in }
      service.client.rest(for: Self.forever)
      #expect(!service.client.isResting)
      try await emit(1...2, by: service)
      await ear.wait(for: 2)
      call.cancel()
    }
  }

  @Loop @Test func `a bus that goes away in a rest is noticed, and what it sent before is heard`()
    async throws
  {
    try await withListener { service, ear, bus in
      let (losses, loss) = AsyncStream<Void>.makeStream()
      service.client.onLost = { loss.yield() }
      service.client.rest(for: Self.forever)
      try await emit(7...7, by: service)
      await bus.stop()
      for await _ in losses { break }
      #expect(ear.numbers == [7])
    }
  }
}
