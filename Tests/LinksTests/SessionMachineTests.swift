import DeviceModel
import Links
import Testing

/// Scripts of what happens, and what is to be done. Jitter is off: each pause is its longest.
struct SessionMachineTests {
  private func machine(_ session: Session) -> SessionMachine { SessionMachine(session: session) { 0 } }
  private static let polled = Session.polled(every: .seconds(10))
  private static let every: [Session] = [.held, polled, .onDemand]

  @Test(arguments: every)
  func `starting connects, and starting again does nothing`(session: Session) {
    var machine = machine(session)
    #expect(machine.phase == .stopped)
    #expect(machine.start(at: .zero) == [.cancelTimer, .connect])
    #expect(machine.phase == .connecting)
    #expect(machine.start(at: .zero) == [])
  }

  // MARK: held

  @Test func `a held link is tried after 1 s, then twice as late each time, up to a minute`() {
    var machine = machine(.held)
    _ = machine.start(at: .zero)
    for seconds in [1, 2, 4, 8, 16, 32, 60, 60, 60] {
      #expect(
        machine.linkDown(.refused, at: .zero) == [
          .refuse(.refused), .unavailable(.refused), .setTimer(.seconds(seconds)),
        ])
      #expect(machine.timerFired(at: .zero) == [.cancelTimer, .connect])
    }
    #expect(machine.failures == 9)
  }

  @Test func `a minute of health makes the pauses short again, less does not`() {
    var machine = machine(.held)
    _ = machine.start(at: .zero)
    for _ in 0..<5 {
      _ = machine.linkDown(.refused, at: .zero)
      _ = machine.timerFired(at: .zero)
    }
    #expect(machine.linkUp(at: .seconds(100)) == [.cancelTimer, .deliver])
    #expect(machine.linkDown(.closedByPeer, at: .seconds(159)).last == .setTimer(.seconds(32)))
    _ = machine.timerFired(at: .seconds(200))
    _ = machine.linkUp(at: .seconds(300))
    #expect(machine.linkDown(.closedByPeer, at: .seconds(360)).last == .setTimer(.seconds(1)))
    #expect(machine.failures == 1)
  }

  @Test func `an attempt that takes long is no health`() {
    var machine = machine(.held)
    _ = machine.start(at: .zero)
    _ = machine.linkDown(.refused, at: .zero)
    _ = machine.timerFired(at: .zero)
    #expect(machine.linkDown(.refused, at: .seconds(100)).last == .setTimer(.seconds(2)))
  }

  @Test func `jitter shortens a pause by up to half`() {
    var machine = SessionMachine(session: .held) { 0.999_999 }
    _ = machine.start(at: .zero)
    guard case .setTimer(let pause)? = machine.linkDown(.refused, at: .zero).last else {
      Issue.record("no timer is set")
      return
    }
    #expect(pause >= .milliseconds(500))
    #expect(pause < .milliseconds(501))
  }

  @Test func `a held link that is not up refuses commands at once, with what it failed of`() {
    var machine = machine(.held)
    _ = machine.start(at: .zero)
    #expect(machine.wanted(at: .zero, lastFailure: nil) == [.refuse(.unreachable("not connected yet"))])
    _ = machine.linkDown(.refused, at: .zero)
    #expect(machine.wanted(at: .zero, lastFailure: .refused) == [.refuse(.refused)])
    #expect(machine.phase == .waiting)
    _ = machine.timerFired(at: .zero)
    #expect(machine.linkUp(at: .zero) == [.cancelTimer, .deliver])
    #expect(machine.wanted(at: .zero, lastFailure: .refused) == [.deliver])
  }

  @Test func `a held link that is back before it is asked to connect is up`() {
    var machine = machine(.held)
    _ = machine.start(at: .zero)
    _ = machine.linkUp(at: .zero)
    _ = machine.linkDown(.closedByPeer, at: .seconds(1))
    #expect(machine.linkUp(at: .seconds(1)) == [.cancelTimer, .deliver])
    #expect(machine.wanted(at: .seconds(1), lastFailure: nil) == [.deliver])
  }

  @Test func `a held session does not finish, and can fail`() {
    var machine = machine(.held)
    _ = machine.start(at: .zero)
    _ = machine.linkUp(at: .zero)
    #expect(machine.sessionFinished(at: .seconds(1)) == [])
    #expect(machine.timerFired(at: .seconds(100)) == [])
    #expect(machine.phase == .up)
    #expect(
      machine.sessionFailed(.gaveUp("silent"), at: .seconds(10)) == [
        .disconnect, .refuse(.gaveUp("silent")), .unavailable(.gaveUp("silent")), .setTimer(.seconds(1)),
      ])
  }

  // MARK: polled

  @Test func `polls begin at the interval, however long each takes`() {
    var machine = machine(Self.polled)
    _ = machine.start(at: .seconds(100))
    #expect(machine.linkUp(at: .seconds(101)) == [.setTimer(.seconds(30)), .deliver])
    #expect(machine.sessionFinished(at: .seconds(104)) == [.disconnect, .setTimer(.seconds(6))])
    #expect(machine.timerFired(at: .seconds(110)) == [.cancelTimer, .connect])
    _ = machine.linkUp(at: .seconds(110))
    #expect(machine.sessionFinished(at: .seconds(111)) == [.disconnect, .setTimer(.seconds(9))])
  }

  @Test func `a board that takes longer than the interval is free for a second all the same`() {
    var machine = machine(Self.polled)
    _ = machine.start(at: .zero)
    _ = machine.linkUp(at: .zero)
    #expect(machine.sessionFinished(at: .seconds(25)) == [.disconnect, .setTimer(.seconds(1))])
  }

  @Test func `a polled board is away only after a second attempt`() {
    var machine = machine(Self.polled)
    _ = machine.start(at: .zero)
    #expect(machine.linkDown(.refused, at: .zero) == [.refuse(.refused), .setTimer(.seconds(1))])
    #expect(machine.timerFired(at: .seconds(1)) == [.cancelTimer, .connect])
    #expect(
      machine.linkDown(.refused, at: .seconds(1)) == [
        .refuse(.refused), .unavailable(.refused), .setTimer(.seconds(10)),
      ])
    for seconds in [10, 10, 16, 32, 60, 60] {
      _ = machine.timerFired(at: .seconds(100))
      #expect(machine.linkDown(.refused, at: .seconds(100)).last == .setTimer(.seconds(seconds)))
    }
    _ = machine.timerFired(at: .seconds(200))
    _ = machine.linkUp(at: .seconds(200))
    _ = machine.sessionFinished(at: .seconds(201))
    _ = machine.timerFired(at: .seconds(210))
    #expect(machine.linkDown(.refused, at: .seconds(210)) == [.refuse(.refused), .setTimer(.seconds(1))])
  }

  @Test func `a board that is polled once an hour is not away for an hour`() {
    var machine = machine(.polled(every: .seconds(3600)))
    _ = machine.start(at: .zero)
    _ = machine.linkDown(.refused, at: .zero)
    _ = machine.timerFired(at: .seconds(1))
    #expect(machine.linkDown(.refused, at: .seconds(1)).last == .setTimer(.seconds(60)))
  }

  @Test func `a connection that breaks in a session is a failure`() {
    var machine = machine(Self.polled)
    _ = machine.start(at: .zero)
    _ = machine.linkUp(at: .zero)
    #expect(
      machine.linkDown(.closedByPeer, at: .seconds(2)) == [.refuse(.closedByPeer), .setTimer(.seconds(1))])
  }

  // MARK: on demand

  @Test func `an on-demand link is tried at the start and then rests`() {
    var machine = machine(.onDemand)
    _ = machine.start(at: .zero)
    #expect(machine.linkUp(at: .zero) == [.setTimer(.seconds(30)), .deliver])
    #expect(machine.sessionFinished(at: .seconds(1)) == [.disconnect, .cancelTimer])
    #expect(machine.phase == .waiting)
  }

  @Test func `an on-demand board that was away is looked for until it is back`() {
    var machine = machine(.onDemand)
    _ = machine.start(at: .zero)
    _ = machine.linkUp(at: .zero)
    _ = machine.sessionFinished(at: .zero)
    #expect(machine.wanted(at: .seconds(50), lastFailure: nil) == [.cancelTimer, .connect])
    #expect(machine.linkDown(.refused, at: .seconds(50)) == [.refuse(.refused), .setTimer(.seconds(1))])
    _ = machine.timerFired(at: .seconds(51))
    #expect(
      machine.linkDown(.refused, at: .seconds(51)) == [
        .refuse(.refused), .unavailable(.refused), .setTimer(.seconds(2)),
      ])
    _ = machine.timerFired(at: .seconds(53))
    _ = machine.linkUp(at: .seconds(53))
    #expect(machine.sessionFinished(at: .seconds(54)) == [.disconnect, .cancelTimer])
    #expect(machine.failures == 0)
  }

  // MARK: both

  @Test(arguments: [polled, .onDemand])
  func `a command while waiting connects at once`(session: Session) {
    var machine = machine(session)
    _ = machine.start(at: .zero)
    _ = machine.linkUp(at: .zero)
    _ = machine.sessionFinished(at: .zero)
    #expect(machine.wanted(at: .seconds(2), lastFailure: nil) == [.cancelTimer, .connect])
    #expect(machine.linkUp(at: .seconds(2)) == [.setTimer(.seconds(30)), .deliver])
  }

  @Test(arguments: [polled, .onDemand])
  func `a command while waiting after a failure gets its one attempt at once too`(session: Session) {
    var machine = machine(session)
    _ = machine.start(at: .zero)
    _ = machine.linkDown(.refused, at: .zero)
    #expect(machine.wanted(at: .zero, lastFailure: .refused) == [.cancelTimer, .connect])
    #expect(machine.linkDown(.refused, at: .zero).first == .refuse(.refused))
  }

  @Test(arguments: [polled, .onDemand])
  func `a command while connecting waits for that attempt`(session: Session) {
    var machine = machine(session)
    _ = machine.start(at: .zero)
    #expect(machine.wanted(at: .zero, lastFailure: nil) == [])
    #expect(machine.phase == .connecting)
    let failure = LinkFailure.timedOut(after: .seconds(5))
    #expect(machine.linkDown(failure, at: .seconds(5)).first == .refuse(failure))
  }

  @Test(arguments: [polled, .onDemand])
  func `a session that does not end is ended, and has failed`(session: Session) {
    var machine = machine(session)
    _ = machine.start(at: .zero)
    _ = machine.linkUp(at: .zero)
    let actions = machine.timerFired(at: .seconds(30))
    #expect(actions.first == .disconnect)
    #expect(actions.last == .setTimer(.seconds(1)))
    #expect(machine.phase == .waiting)
    #expect(machine.failures == 1)
  }

  @Test(arguments: every)
  func `an adapter can ask for the next session, which is no failure`(session: Session) {
    var machine = machine(session)
    _ = machine.start(at: .zero)
    #expect(machine.reconnect(after: .seconds(2), at: .zero) == [])
    _ = machine.linkUp(at: .zero)
    #expect(machine.reconnect(after: .seconds(2), at: .zero) == [.disconnect, .setTimer(.seconds(2))])
    #expect(machine.reconnect(after: .seconds(2), at: .zero) == [])
    #expect(machine.failures == 0)
    #expect(machine.timerFired(at: .seconds(2)) == [.cancelTimer, .connect])
  }

  @Test(arguments: every)
  func `stopping leaves nothing open, in every phase`(session: Session) {
    var machine = machine(session)
    let stopping = LinkFailure.unavailable("the bridge is stopping")
    #expect(machine.stop() == [.cancelTimer])
    #expect(machine.wanted(at: .zero, lastFailure: nil) == [.refuse(stopping)])

    _ = machine.start(at: .zero)
    #expect(machine.stop() == [.cancelTimer, .disconnect, .refuse(stopping)])
    #expect(machine.linkUp(at: .zero) == [])
    #expect(machine.linkDown(.refused, at: .zero) == [])
    #expect(machine.timerFired(at: .zero) == [])

    _ = machine.start(at: .zero)
    _ = machine.linkUp(at: .zero)
    #expect(machine.stop() == [.cancelTimer, .disconnect])
    #expect(machine.sessionFinished(at: .zero) == [])
    #expect(machine.sessionFailed(.refused, at: .zero) == [])

    _ = machine.start(at: .zero)
    _ = machine.linkDown(.refused, at: .zero)
    #expect(machine.stop() == [.cancelTimer])
    #expect(machine.phase == .stopped)
    #expect(machine.start(at: .zero) == [.cancelTimer, .connect])
    #expect(machine.failures == 0)
  }

  @Test(arguments: every)
  func `what comes out of turn changes nothing`(session: Session) {
    var machine = machine(session)
    _ = machine.start(at: .zero)
    _ = machine.linkDown(.refused, at: .zero)
    if session != .held { #expect(machine.linkUp(at: .zero) == []) }
    #expect(machine.linkDown(.refused, at: .zero) == [])
    #expect(machine.sessionFinished(at: .zero) == [])
    #expect(machine.sessionFailed(.refused, at: .zero) == [])
    #expect(machine.phase == .waiting)
    #expect(machine.failures == 1)
  }
}
