@testable import BlueZ
import EventLoop
import TestSupport
import Testing

struct SchedulerRandomTests {
  @Test(arguments: 0..<20)
  func `whatever happens, no two connects and none while scanning`(seed: UInt64) {
    var random = SeededRandom(seed)
    var desk = Desk(boards: 5)
    var connecting: Int?
    for _ in 0..<2000 {
      let board = Int(random.next() % 5)
      switch random.next() % 9 {
      case 0: desk.hear(board)
      case 1: desk.pass(.milliseconds(random.next() % 30_000))
      case 2: desk.scheduler.want(board, random.next().isMultiple(of: 2))
      case 3:
        if let current = connecting {
          desk.scheduler.linked(current, at: desk.now)
          connecting = nil
        }
      case 4:
        desk.fail(
          connecting ?? board, after: .seconds(Int(random.next() % 20)), wasUp: random.next() % 4 == 0)
        connecting = nil
      case 5:
        switch desk.scheduler.scan {
        case .starting: desk.scheduler.scanChanged(to: .on)
        case .stopping: desk.scheduler.scanChanged(to: .off)
        case .on, .off: break
        }
      case 6: if desk.scheduler.scan == .starting { desk.scheduler.scanFailed(at: desk.now, random: 0.5) }
      case 7: desk.scheduler.listening = [.none, .always, .inSessions][Int(random.next() % 3)]
      default:
        if random.next() % 20 == 0 {
          desk.scheduler.setUsable(!desk.scheduler.isUsable)
          connecting = nil
        }
      }
      while let action = desk.next() {
        if case .connect(let board) = action {
          #expect(connecting == nil)
          #expect(desk.scheduler.scan == .off)
          connecting = board
        }
      }
    }
  }
}
