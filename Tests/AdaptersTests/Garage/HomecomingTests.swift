import DeviceModel
import Testing

@testable import Adapters

struct `A person's way home` {
  private static let now = Timestamp(seconds: 1_764_500_000)

  private static func evidence(_ seconds: Int64) throws -> Evidence {
    try #require(Evidence(dated: Timestamp(seconds: now.seconds + seconds), at: now))
  }

  private static func outside(since seconds: Int64 = -600) -> Homecoming {
    Homecoming(isInside: false, since: Timestamp(seconds: now.seconds + seconds))
  }

  @Test func `unknown counts as inside`() throws {
    var homecoming = Homecoming()
    #expect(homecoming.isInside)
    #expect(homecoming.handle(.enterBeacon, Evidence(now: Self.now)) == .nothing)
  }

  @Test(arguments: [
    (Homecoming.Input.enterBeacon, Homecoming.Output.open), (.leaveHome, .nothing), (.enterHome, .nothing),
    (.leaveBeacon, .nothing), (.seenOutside, .nothing), (.simulateExit, .nothing),
  ])
  func `outside, only the beacon opens`(input: Homecoming.Input, output: Homecoming.Output) {
    var homecoming = Self.outside()
    #expect(homecoming.handle(input, Evidence(now: Self.now)) == output)
    #expect(!homecoming.isInside, "the door has not been opened yet")
  }

  @Test(arguments: [
    (Homecoming.Input.enterBeacon, Homecoming.Output.nothing), (.leaveHome, .armed), (.enterHome, .nothing),
    (.leaveBeacon, .nothing), (.seenOutside, .armed), (.simulateExit, .armed),
  ])
  func `inside, leaving arms`(input: Homecoming.Input, output: Homecoming.Output) {
    var homecoming = Homecoming()
    #expect(homecoming.handle(input, Evidence(now: Self.now)) == output)
    #expect(homecoming.isInside == (output == .nothing))
  }

  @Test func `who came in is inside`() {
    var homecoming = Self.outside()
    homecoming.cameIn(at: Self.now)
    #expect(homecoming.isInside)
    #expect(homecoming.handle(.enterBeacon, Evidence(now: Self.now)) == .nothing)
  }

  @Test func `a stale leaving does not arm, a stale arrival disarms and opens nothing`() throws {
    var inside = Homecoming()
    #expect(inside.handle(.leaveHome, try Self.evidence(-121)) == .nothing)
    #expect(inside.isInside)
    #expect(inside.handle(.leaveHome, try Self.evidence(-120)) == .armed)

    var outside = Self.outside()
    #expect(outside.handle(.enterBeacon, try Self.evidence(-121)) == .disarmed)
    #expect(outside.isInside)
  }

  @Test func `what is older than the state changes nothing`() throws {
    var outside = Self.outside(since: -30)
    #expect(outside.handle(.enterBeacon, try Self.evidence(-31)) == .nothing)
    #expect(outside.handle(.enterBeacon, try Self.evidence(-30)) == .open)

    var inside = Homecoming(isInside: true, since: Timestamp(seconds: Self.now.seconds - 30))
    #expect(inside.handle(.leaveHome, try Self.evidence(-30)) == .nothing)
    #expect(inside.handle(.leaveHome, try Self.evidence(-29)) == .armed)
  }

  @Test func `an arrival that confirms the state makes an older leaving void`() throws {
    var homecoming = Homecoming()
    #expect(homecoming.handle(.enterBeacon, try Self.evidence(-10)) == .nothing)
    #expect(homecoming.handle(.leaveHome, try Self.evidence(-20)) == .nothing)
    #expect(homecoming.isInside)

    var out = Self.outside(since: -100)
    #expect(out.handle(.leaveHome, try Self.evidence(-10)) == .nothing)
    #expect(out.handle(.enterBeacon, try Self.evidence(-20)) == .nothing)
  }

  @Test func `a date in the future is none, within what clocks differ it is now`() throws {
    #expect(Evidence(dated: Timestamp(seconds: Self.now.seconds + 31), at: Self.now) == nil)
    #expect(try Self.evidence(30).time == Self.now)
    #expect(try Self.evidence(30).isFresh)
  }

  @Test func `a clock that was set back does not keep evidence out for ever`() {
    var homecoming = Homecoming(isInside: true, since: Timestamp(seconds: Self.now.seconds + 999_999))
    homecoming.bound(at: Self.now)
    let later = Timestamp(seconds: Self.now.seconds + 60)
    #expect(homecoming.handle(.leaveHome, Evidence(now: later)) == .armed)
  }
}
