import DBus
import EventLoop
import Simulation
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(4)))
struct BusTests {
  init() { #expect(LoopThread.started) }

  private static let quick = BackOff(first: .milliseconds(20), longest: .milliseconds(100))

  /// The states of `bus` as they come.
  @Loop private func states(of bus: Bus) -> AsyncStream<String> {
    let (states, state) = AsyncStream<String>.makeStream()
    bus.onChange = { new in
      switch new {
      case .off: state.yield("off")
      case .connecting: state.yield("connecting")
      case .up: state.yield("up")
      case .down(.unreachable(let name, _)): state.yield("unreachable \(name)")
      case .down(let error): state.yield("down \(error)")
      }
    }
    return states
  }

  @Loop @Test func `a bus that is missing is tried again until it is there, and lost with a reason`()
    async throws
  {
    let first = try await PrivateBus.start()
    let bus = Bus(address: first.address, backOff: Self.quick)
    var iterator = states(of: bus).makeAsyncIterator()
    bus.start()
    #expect(await iterator.next() == "connecting")
    #expect(await iterator.next() == "up")
    await first.stop()
    #expect(await iterator.next() == "down the connection to the bus ended")
    #expect(await iterator.next() == "connecting")
    #expect(await iterator.next() == "unreachable org.freedesktop.DBus.Error.FileNotFound")
    #expect(await iterator.next() == "connecting")
    bus.stop()
    while let state = await iterator.next(), state != "off" {}
  }

  @Loop @Test(arguments: ["tcp:host=127.0.0.1,port=1", "", "unixexec:path=/bin/true", "autolaunch:"])
  func `an address that would block the loop is refused in words`(address: String) async {
    let bus = Bus(address: address, backOff: Self.quick)
    var iterator = states(of: bus).makeAsyncIterator()
    bus.start()
    #expect(await iterator.next() == "connecting")
    #expect(await iterator.next() == "unreachable org.freedesktop.DBus.Error.BadAddress")
    bus.stop()
  }

  @Test(arguments: [
    ("/", true), ("/a", true), ("/a_1/B", true), ("", false), ("a", false), ("/a/", false), ("//", false),
    ("/a//b", false), ("/ä", false), ("/a b", false), ("/a\0", false),
  ])
  func `paths are those of the specification`(text: String, isPath: Bool) {
    #expect((ObjectPath(text) != nil) == isPath)
  }
}
