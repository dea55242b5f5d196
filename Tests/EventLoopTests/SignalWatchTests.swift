import EventLoop
import Glibc
import TestSupport
import Testing

/// The signals are sent to the loop's thread, the only one of the test process that blocks them.
@Suite(.serialized) struct SignalWatchTests {
  init() { #expect(LoopThread.started) }

  private let arrived = Inbox<Int32>("the signals")

  @Loop @Test func `a signal arrives as an event with its number`() async throws {
    SignalWatch.block([SIGUSR1, SIGUSR2])
    let watch = SignalWatch([SIGUSR1, SIGUSR2]) { [arrived] signal in
      #expect(Loop.isCurrent)
      arrived.append(signal)
    }
    pthread_kill(pthread_self(), SIGUSR1)
    #expect(try await arrived.first() == SIGUSR1)
    pthread_kill(pthread_self(), SIGUSR2)
    #expect(try await arrived.first(from: 1) == SIGUSR2)
    watch.cancel()
  }

  @Loop @Test func `a cancelled watch hears nothing`() async throws {
    SignalWatch.block([SIGUSR1])
    let cancelled = SignalWatch([SIGUSR1]) { [arrived] _ in arrived.append(-1) }
    cancelled.cancel()
    cancelled.cancel()
    let watch = SignalWatch([SIGUSR1]) { [arrived] signal in arrived.append(signal) }
    pthread_kill(pthread_self(), SIGUSR1)
    try await arrived.first()
    #expect(arrived.all == [SIGUSR1])
    watch.cancel()
  }
}
