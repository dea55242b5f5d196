import DeviceModel
import EventLoop
import Glibc
import TestSupport
import Testing

@testable import Links

@Suite(.timeLimit(.minutes(4)))
struct `A capture command` {
  init() { #expect(LoopThread.started) }

  /// A link to what a shell does.
  @Loop private func shell(
    _ script: String, among running: RunningCaptures = RunningCaptures(),
    settling: Duration = CaptureLink.settling
  ) -> (CaptureLink, Recorder) {
    let recorder = Recorder()
    let link = CaptureLink(
      ["sh", "-c", script], among: running, settling: settling, handler: recorder.handler)
    return (link, recorder)
  }

  /// The process id that a script says first.
  @Loop private func identifier(_ recorder: Recorder) async throws -> pid_t {
    try await recorder.received("\n")
    return try #require(pid_t(recorder.text.prefix { $0 != "\n" }))
  }

  /// Returns when there is no such process any more, not even a dead one.
  @Loop private func gone(_ identifier: pid_t) async throws {
    // It is a grandchild, whose end nobody is told of.
    #expect(await eventually { kill(identifier, 0) != 0 && errno == ESRCH })
  }

  @Loop @Test func `is up with its first bytes, which follow`() async throws {
    let (link, recorder) = shell("printf 'one two'; exec sleep 100")
    recorder.call { link.connect() }
    try await recorder.received("one two")
    #expect(recorder.words == ["up", "received one two"])
    link.disconnect()
  }

  @Loop @Test func `that says nothing is up as well`() async throws {
    let (link, recorder) = shell("exec sleep 100")
    link.connect()
    try await recorder.event("up")
    link.disconnect()
  }

  @Loop @Test func `brings all that it said before its end, then its last words`() async throws {
    let (link, recorder) = shell("head -c 300000 /dev/zero; echo first >&2; echo 'card is busy' >&2; exit 3")
    link.connect()
    #expect(try await recorder.down() == .broken("sh ended with status 3: card is busy"))
    #expect(recorder.bytesReceived == 300_000)
    #expect(recorder.events.all.count { $0.word == "down" } == 1)
  }

  @Loop @Test func `that fails at once was never up, and can be begun again`() async throws {
    // A busy machine may take a second to start a shell.
    let (link, recorder) = shell("echo no >&2; exit 1", settling: .seconds(60))
    for attempt in 1...3 {
      let seen = recorder.events.count
      recorder.call { link.connect() }
      #expect(try await recorder.down(from: seen) == .unavailable("sh ended with status 1: no"))
      #expect(recorder.events.all.map(\.word) == Array(repeating: "down", count: attempt))
    }
  }

  @Loop @Test(arguments: ["/no/such/program", "no-such-program", "/etc", ""])
  func `that is none is named`(program: String) async throws {
    let recorder = Recorder()
    let link = CaptureLink([program], among: RunningCaptures(), handler: recorder.handler)
    recorder.call { link.connect() }
    guard case .unavailable(let why) = try await recorder.down() else {
      Issue.record("another failure")
      return
    }
    #expect(why.contains(program))
    #expect(recorder.words.count == 1)
  }

  @Loop @Test func `killed by a signal says so`() async throws {
    let (link, recorder) = shell("echo $$; exec sleep 100")
    link.connect()
    kill(try await identifier(recorder), SIGKILL)
    #expect(try await recorder.down() == .broken("sh was ended by signal 9 (Killed)"))
  }

  @Loop @Test func `ends with its children when it is left, and nothing is left of it`() async throws {
    let (link, recorder) = shell("sleep 100 & echo $!; wait")
    link.connect()
    let child = try await identifier(recorder)
    link.disconnect()
    let count = recorder.events.count
    try await gone(child)
    #expect(recorder.events.count == count)
  }

  @Loop @Test func `that does not heed SIGTERM is killed, before another is begun`() async throws {
    let running = RunningCaptures()
    let (link, recorder) = shell("trap '' TERM; echo $$; while :; do sleep 100; done", among: running)
    link.connect()
    let first = try await identifier(recorder)
    link.disconnect()
    let seen = recorder.events.count
    recorder.call { link.connect() }
    try await recorder.event("up", from: seen)
    #expect(kill(first, 0) != 0)
    link.disconnect()
    // Else it outlives the tests.
    await running.stop()
  }

  @Loop @Test func `whose children hold its output is over when it ends`() async throws {
    let (link, recorder) = shell("(sleep 100) & echo x; sleep 0.1; exit 4")
    link.connect()
    #expect(try await recorder.down() == .broken("sh ended with status 4"))
  }

  @Loop @Test func `that closes its output is over, and ended`() async throws {
    let (link, recorder) = shell("echo $$; exec >&-; exec sleep 100")
    link.connect()
    let process = try await identifier(recorder)
    #expect(try await recorder.down() == .broken("sh was ended by signal 15 (Terminated)"))
    try await gone(process)
  }

  @Loop @Test func `is not read from while there is no room`() async throws {
    let (link, recorder) = shell("cat /dev/zero")
    link.connect()
    try await recorder.received(bytes: 4096)
    link.isReading = false
    await turns()
    let count = recorder.bytesReceived
    await turns(20)
    #expect(recorder.bytesReceived == count)
    link.isReading = true
    try await recorder.received(bytes: count + 200_000)
    link.disconnect()
  }

  @Loop @Test func `that floods is read no faster than sound, and on and on`() async throws {
    let (link, recorder) = shell("cat /dev/zero")
    let start = ContinuousClock.now
    link.connect()
    try await recorder.received(bytes: 4_000_000)
    // Eight channels of 192,000 samples of four bytes are 6.1 MB a second; one read is 64 kB.
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    #expect(Double(recorder.bytesReceived) <= 6_144_000 * (seconds + 0.1) + 65_536)
    // The owner's wish holds in a rest too.
    link.isReading = false
    await turns()
    let count = recorder.bytesReceived
    try await Loop.sleep(for: .milliseconds(150))
    #expect(recorder.bytesReceived == count && !link.isReading)
    link.isReading = true
    try await recorder.received(bytes: count + 1_000_000)
    link.disconnect()
  }

  @Loop @Test func `has no input, and no descriptor of ours`() async throws {
    let pipe = try PseudoTerminal()
    let (link, recorder) = shell("cat; ls /proc/self/fd | tr '\\n' ' '; echo; exec sleep 100")
    link.connect()
    recorder.call { link.send(Output.Send("x", number: 5)) }
    try await recorder.received("\n")
    try await recorder.event("notSent")
    // Three of its own, and the folder that ls reads.
    #expect(recorder.text == "0 1 2 3 \n")
    #expect(recorder.outcomes == [5: 1])
    #expect(pipe.path.hasPrefix("/"))
    link.disconnect()
  }

  @Loop @Test func `that floods its standard error costs no memory and is heard`() async throws {
    let (link, recorder) = shell("head -c 3000000 /dev/zero | tr '\\0' 'x' >&2; echo said; exit 2")
    link.connect()
    try await recorder.received("said")
    let failure = try await recorder.down()
    #expect("\(try #require(failure))".utf8.count < 400)
  }

  @Loop @Test func `does not outlive the bridge`() async throws {
    let running = RunningCaptures()
    let (link, recorder) = shell("trap '' TERM; echo $$; while :; do sleep 100; done", among: running)
    link.connect()
    let process = try await identifier(recorder)
    link.disconnect()
    await running.stop()
    #expect(kill(process, 0) != 0)
  }
}
