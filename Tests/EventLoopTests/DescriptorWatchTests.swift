import EventLoop
import Glibc
import TestSupport
import Testing

@Suite struct DescriptorWatchTests {
  init() { #expect(LoopThread.started) }

  private let calls = Inbox<String>("the handlers' calls")

  /// Lets everything that is ready now be handled.
  @Loop private func turn() async throws { try await Loop.sleep(for: .milliseconds(1)) }

  @Loop @Test func `a readable descriptor calls its handler until it is read`() async throws {
    let pair = SocketPair()
    let watch = DescriptorWatch(pair.near, for: .readable) { [calls] readiness in
      #expect(Loop.isCurrent)
      calls.append(readiness.contains(.readable) ? "readable" : "else")
      if calls.count == 3 { pair.drain() }
    }
    try await turn()
    #expect(calls.all.isEmpty)
    pair.poke()
    try await calls.first(from: 2)
    try await turn()
    try await turn()
    #expect(calls.all == ["readable", "readable", "readable"])
    watch.cancel()
  }

  @Loop @Test func `an empty interest pauses and a new one resumes`() async throws {
    let pair = SocketPair()
    let watch = DescriptorWatch(pair.near, for: .readable) { [calls] _ in
      calls.append("called")
      pair.drain()
    }
    watch.interest = []
    pair.poke()
    try await turn()
    try await turn()
    #expect(calls.all.isEmpty)
    watch.interest = .readable
    try await calls.first()
    watch.cancel()
  }

  @Loop @Test func `a full socket is writable once its peer has read`() async throws {
    let pair = SocketPair()
    pair.fill()
    let watch = DescriptorWatch(pair.near, for: [.readable, .writable]) { [calls] readiness in
      if readiness.contains(.writable) { calls.append("writable") }
    }
    try await turn()
    #expect(calls.all.isEmpty)
    pair.drainFar()
    try await calls.first()
    watch.cancel()
  }

  @Loop @Test func `a hang-up is told though nothing was asked for`() async throws {
    let pair = SocketPair()
    let watch = DescriptorWatch(pair.near, for: []) { [calls] readiness in
      calls.append(readiness.contains(.hungUp) ? "hung up" : "else")
    }
    pair.hangUp()
    #expect(try await calls.first() == "hung up")
    watch.cancel()
  }

  @Loop @Test func `a watch cancelled in a turn is not called in it`() async throws {
    let pairs = [SocketPair(), SocketPair()]
    var watches: [DescriptorWatch] = []
    watches = pairs.indices.map { index in
      DescriptorWatch(pairs[index].near, for: .readable) { [calls] _ in
        calls.append("\(index)")
        watches[1 - index].cancel()
        pairs[index].drain()
      }
    }
    for pair in pairs { pair.poke() }
    try await calls.first()
    try await turn()
    #expect(calls.count == 1)
    for watch in watches { watch.cancel() }
  }

  @Loop @Test func `a new watch in the place of a cancelled one does not get its event`() async throws {
    let pairs = [SocketPair(), SocketPair()]
    let quiet = SocketPair()
    var watches: [DescriptorWatch] = []
    watches = pairs.indices.map { index in
      DescriptorWatch(pairs[index].near, for: .readable) { [calls] _ in
        calls.append("first")
        pairs[index].drain()
        watches[1 - index].cancel()
        watches.append(DescriptorWatch(quiet.near, for: .readable) { _ in calls.append("wrong") })
      }
    }
    for pair in pairs { pair.poke() }
    try await calls.first()
    try await turn()
    #expect(calls.all == ["first"])
    for watch in watches { watch.cancel() }
  }

  @Loop @Test func `a descriptor's number can be used again after cancel and close`() async throws {
    var pair: SocketPair? = SocketPair()
    let number = pair?.near
    let old = DescriptorWatch(pair?.near ?? -1, for: .readable) { [calls] _ in calls.append("old") }
    pair?.poke()
    old.cancel()
    pair = nil
    let again = SocketPair()
    #expect([again.near, again.far].contains(number))
    let new = DescriptorWatch(again.near, for: .readable) { [calls] _ in
      calls.append("new")
      again.drain()
    }
    again.poke()
    try await calls.first()
    try await turn()
    #expect(calls.all == ["new"])
    old.cancel()
    new.cancel()
  }

  @Loop @Test func `a handler may cancel its own watch`() async throws {
    let pair = SocketPair()
    var watch: DescriptorWatch?
    watch = DescriptorWatch(pair.near, for: .readable) { [calls] _ in
      calls.append("called")
      watch?.cancel()
      watch = nil
    }
    pair.poke()
    try await calls.first()
    try await turn()
    #expect(calls.count == 1)
  }

  @Loop @Test func `what waits for the end of the turn runs after all that was ready, once`() async throws {
    let pairs = (0..<5).map { _ in SocketPair() }
    let watches = pairs.map { pair in
      DescriptorWatch(pair.near, for: .readable) { [calls] _ in
        if calls.all.isEmpty {
          Loop.atTurnEnd {
            calls.append("end")
            Loop.atTurnEnd { calls.append("next end") }
          }
        }
        calls.append("ready")
        pair.drain()
      }
    }
    for pair in pairs { pair.poke() }
    try await calls.first { $0 == "next end" }
    try await turn()
    #expect(calls.all == ["ready", "ready", "ready", "ready", "ready", "end", "next end"])
    for watch in watches { watch.cancel() }
  }

  @Loop @Test func `hundreds of descriptors ready at once are all handled`() async throws {
    let pairs = (0..<200).map { _ in SocketPair() }
    let watches = pairs.indices.map { index in
      DescriptorWatch(pairs[index].near, for: .readable) { [calls] _ in
        pairs[index].drain()
        calls.append("\(index)")
      }
    }
    for pair in pairs { pair.poke() }
    try await calls.first(from: 199)
    #expect(Set(calls.all).count == 200)
    for watch in watches { watch.cancel() }
  }
}
