import DeviceModel
import Links
import TestSupport
import Testing

/// Holds for every course of events: no timer is lost, no second attempt begun, no command left without an answer.
struct SessionPropertyTests {
  @Test(arguments: [Session.held, .polled(every: .seconds(10)), .onDemand], 0..<100 as Range<UInt64>)
  func `whatever happens, the machine goes on`(session: Session, seed: UInt64) throws {
    var random = SeededRandom(seed)
    var world = World(session)
    for step in 0..<300 {
      try world.happen(using: &random)
      try world.check("seed \(seed), step \(step)")
    }
    try world.check("a board that is gone is given up") { try $0.run(boardIsThere: false) }
    try world.check("a board that is back is found") { try $0.run(boardIsThere: true) }
    #expect(world.machine.phase == .stopped || world.hasFinished)
  }
}

/// A link, a timer and waiting commands, as the bridge has them, without sockets or time.
private struct World {
  enum Link { case idle, connecting, up }

  struct Broken: Error, CustomStringConvertible {
    var description: String
    init(_ description: String) { self.description = description }
  }

  let session: Session
  var machine: SessionMachine
  var now = Duration.zero
  var link = Link.idle
  var timer: Duration?
  var waiting = 0
  /// The last session ended well.
  var hasFinished = false

  init(_ session: Session) {
    self.session = session
    machine = SessionMachine(session: session) { 0.5 }
  }

  mutating func perform(_ actions: [SessionMachine.Action]) throws {
    for action in actions {
      switch action {
      case .connect:
        guard link == .idle else { throw Broken("connects while \(link)") }
        link = .connecting
      case .disconnect:
        guard link != .idle else { throw Broken("disconnects what is not connected") }
        link = .idle
      case .setTimer(let pause):
        guard pause >= .zero, pause <= .seconds(60) else { throw Broken("sets a timer to \(pause)") }
        timer = now + pause
      case .cancelTimer: timer = nil
      case .deliver:
        guard link == .up else { throw Broken("delivers while \(link)") }
        waiting = 0
      case .refuse: waiting = 0
      case .unavailable: break
      }
    }
  }

  mutating func fireTimer() throws {
    guard let due = timer else { return }
    now = max(now, due)
    timer = nil
    try perform(machine.timerFired(at: now))
  }

  /// The link's own event, as it sends it: only from the state in which it can.
  mutating func linkHappens(up: Bool) throws {
    switch link {
    case .idle:
      // A board on a shared radio comes back when it is its turn.
      guard up, session == .held, machine.phase == .waiting else { return }
      link = .up
      try perform(machine.linkUp(at: now))
    case .connecting where up:
      link = .up
      try perform(machine.linkUp(at: now))
    case .connecting, .up:
      link = .idle
      try perform(machine.linkDown(.refused, at: now))
    }
  }

  mutating func happen(using random: inout SeededRandom) throws {
    now += .milliseconds(Int.random(in: 0...3000, using: &random))
    if let due = timer, due <= now { try fireTimer() }
    switch Int.random(in: 0..<12, using: &random) {
    case 0: try perform(machine.start(at: now))
    case 1: if Int.random(in: 0..<5, using: &random) == 0 { try perform(machine.stop()) }
    case 2, 3:
      waiting += 1
      try perform(machine.wanted(at: now, lastFailure: nil))
    case 4: try perform(machine.reconnect(after: .seconds(2), at: now))
    case 5: try perform(machine.sessionFailed(.gaveUp("x"), at: now))
    case 6, 7: try perform(machine.sessionFinished(at: now))
    case 8, 9: try linkHappens(up: true)
    case 10: try linkHappens(up: false)
    default: try fireTimer()
    }
  }

  /// Ten minutes with a board that is there or not, and with a command at the beginning.
  mutating func run(boardIsThere: Bool) throws {
    if machine.phase == .stopped { return }
    waiting += 1
    try perform(machine.wanted(at: now, lastFailure: nil))
    hasFinished = false
    let end = now + .seconds(600)
    for _ in 0..<10_000 where now < end {
      switch link {
      case .connecting: try linkHappens(up: boardIsThere)
      case .up:
        if !boardIsThere {
          try linkHappens(up: false)
        } else if session == .held {
          hasFinished = true
          now = end
        } else {
          hasFinished = true
          try perform(machine.sessionFinished(at: now))
        }
      case .idle:
        guard let due = timer else {
          guard session == .onDemand, machine.failures == 0 else {
            throw Broken("nothing will happen any more")
          }
          return
        }
        guard due >= now else { throw Broken("a timer in the past") }
        try fireTimer()
      }
    }
    if now < end { throw Broken("time stands still") }
    if waiting > 0 { throw Broken("a command has no answer") }
  }

  mutating func check(_ place: String, _ body: (inout World) throws -> Void = { _ in }) throws {
    do {
      try body(&self)
      let expected: Link
      switch machine.phase {
      case .stopped, .waiting: expected = .idle
      case .connecting: expected = .connecting
      case .up: expected = .up
      }
      guard link == expected else { throw Broken("\(machine.phase) while the link is \(link)") }
      let mustHaveTimer =
        switch machine.phase {
        case .waiting: session != .onDemand || machine.failures > 0
        case .up: session != .held
        case .stopped, .connecting: false
        }
      if mustHaveTimer, timer == nil { throw Broken("\(machine.phase) without a timer") }
      if machine.phase == .up, session == .held, timer != nil { throw Broken("a held link has a timer") }
      if machine.phase == .stopped, timer != nil { throw Broken("stopped with a timer") }
      if waiting > 0, machine.phase != .connecting || session == .held {
        throw Broken("\(waiting) commands without an answer while \(machine.phase)")
      }
    } catch {
      throw Broken("\(place): \(error)")
    }
  }
}
