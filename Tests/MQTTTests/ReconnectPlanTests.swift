import EventLoop
@testable import MQTT
import Testing

@Suite struct ReconnectPlanTests {
  private func plan(servers: Int) -> ReconnectPlan {
    ReconnectPlan(serverCount: servers, backOff: BackOff())
  }

  private func time(_ seconds: Int64) -> MonotonicTime { MonotonicTime(nanoseconds: seconds * 1_000_000_000) }

  @Test func `one server is tried again after growing pauses`() {
    var plan = plan(servers: 1)
    let pauses = (0..<8).map { _ in plan.ended(at: time(0), random: 0) }
    #expect(pauses == [1, 2, 4, 8, 16, 32, 60, 60].map { .seconds($0) })
    #expect(plan.server == 0)
  }

  @Test func `all servers are tried in order before a pause`() {
    var plan = plan(servers: 3)
    var seen: [(Int, Duration)] = []
    for _ in 0..<6 {
      let pause = plan.ended(at: time(0), random: 0)
      seen.append((plan.server, pause))
    }
    #expect(seen.map(\.0) == [1, 2, 0, 1, 2, 0])
    #expect(seen.map(\.1) == [0, 0, 1, 0, 0, 2].map { .seconds($0) })
  }

  @Test func `after a lost connection the first server is next`() {
    var plan = plan(servers: 2)
    _ = plan.ended(at: time(0), random: 0)
    #expect(plan.server == 1)
    plan.connected(at: time(0))
    let pause = plan.ended(at: time(1), random: 0)
    #expect(pause == .seconds(1))
    #expect(plan.server == 0)
  }

  @Test func `a minute of health starts the pauses anew`() {
    var plan = plan(servers: 1)
    for _ in 0..<5 { _ = plan.ended(at: time(0), random: 0) }
    plan.connected(at: time(100))
    let pause = plan.ended(at: time(160), random: 0)
    #expect(pause == .seconds(1))
  }

  @Test func `a young connection that ends keeps the pauses growing`() {
    var plan = plan(servers: 1)
    for _ in 0..<3 { _ = plan.ended(at: time(0), random: 0) }
    plan.connected(at: time(100))
    let pause = plan.ended(at: time(159), random: 0)
    #expect(pause == .seconds(8))
  }

  @Test func `servers that go down one after the other are each left after the shortest pause`() {
    var plan = plan(servers: 3)
    var pauses: [Duration] = []
    for server in [0, 1, 2, 0, 0] {
      while plan.server != server { _ = plan.ended(at: time(0), random: 0) }
      plan.connected(at: time(0))
      pauses.append(plan.ended(at: time(5), random: 0))
    }
    #expect(pauses == [1, 1, 1, 1, 2].map { .seconds($0) })
  }
}
