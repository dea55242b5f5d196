@testable import BlueZ
import EventLoop
import Testing

struct SchedulerMonitorTests {
  @Test func `where monitors hear, a scan of 2 s in 10 s is enough`() {
    var desk = Desk(boards: 1)
    desk.scheduler.want(0, false)
    desk.scheduler.listening = .inSessions
    for _ in 0..<3 {
      #expect(desk.next() == .startScanning)
      desk.scheduler.scanChanged(to: .on)
      #expect(desk.next() == nil)
      #expect(desk.scheduler.wakeUp(after: desk.now) == desk.now.advanced(by: .seconds(2)))
      desk.pass(.milliseconds(1999))
      #expect(desk.next() == nil)
      desk.pass(.milliseconds(1))
      #expect(desk.next() == .stopScanning)
      desk.scheduler.scanChanged(to: .off)
      #expect(desk.next() == nil)
      #expect(desk.scheduler.wakeUp(after: desk.now) == desk.now.advanced(by: .seconds(8)))
      desk.pass(.milliseconds(7999))
      #expect(desk.next() == nil)
      desk.pass(.milliseconds(1))
    }
  }

  @Test func `where monitors hear, boards are scanned for and connected as if nobody listened`() {
    var desk = Desk(boards: 2)
    desk.scheduler.listening = .inSessions
    #expect(desk.next() == .startScanning)
    desk.scheduler.scanChanged(to: .on)
    #expect(desk.next() == nil)
    desk.hear(0)
    #expect(desk.connectNext() == 0)
    desk.scheduler.linked(0, at: desk.now)
    #expect(desk.next() == .startScanning)
    desk.scheduler.scanChanged(to: .on)
    desk.pass(.seconds(100))
    #expect(desk.next() == nil, "the other board is looked for")
    desk.hear(1)
    #expect(desk.connectNext() == 1)
    desk.scheduler.linked(1, at: desk.now)
    #expect(desk.next() == nil, "it rests")
  }

  @Test func `where monitors hear, boards that fail again and again leave scans for strengths`() {
    var desk = Desk(boards: 4)
    desk.scheduler.listening = .inSessions
    var scanned = Duration.zero
    let end = desk.now.advanced(by: .seconds(600))
    while desk.now < end {
      for board in 0..<4 { desk.hear(board) }
      switch desk.next() {
      case .startScanning: desk.scheduler.scanChanged(to: .on)
      case .stopScanning: desk.scheduler.scanChanged(to: .off)
      case .connect(let board):
        desk.pass(.seconds(10))
        desk.fail(board, after: .seconds(10))
      case nil:
        if desk.scheduler.scan == .on { scanned += .milliseconds(100) }
        desk.pass(.milliseconds(100))
      }
    }
    #expect(scanned >= .seconds(60))
  }
}
