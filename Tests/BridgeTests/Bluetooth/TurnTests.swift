import EventLoop
import TestSupport
import Testing

@testable import Bridge

struct TurnTests {
  init() { #expect(LoopThread.started) }

  @Test(.timeLimit(.minutes(1))) @Loop func `a turn that is passed while somebody asks for it is theirs`()
    async
  {
    let turn = Turn(limit: 2)
    await turn.take()
    // It asks, and before it stands in the queue the turn is passed.
    let second = Task { @Loop in await turn.take() }
    Loop.enqueue { turn.pass() }
    await second.value
    let third = Task { @Loop in await turn.take() }
    turn.pass()
    await third.value
  }

  @Test @Loop func `turns go round in the order of asking, and no more than so many wait`() async {
    let turn = Turn(limit: 2)
    let order = Inbox<Int>("turns")
    await turn.take()
    var waiting: [Task<Void, Never>] = []
    for number in 1...2 {
      waiting.append(
        Task { @Loop in
          await turn.take()
          order.append(number)
          turn.pass()
        })
    }
    while !turn.isFull { await Task.yield() }
    turn.pass()
    for task in waiting { await task.value }
    #expect(order.all == [1, 2] && !turn.isFull)
  }
}
