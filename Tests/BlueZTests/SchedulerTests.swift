@testable import BlueZ
import EventLoop
import Testing

struct SchedulerTests {
  @Test func `boards that fail again and again do not keep who listens deaf`() {
    var desk = Desk(boards: 4)
    desk.scheduler.listening = .always
    var deafSince: MonotonicTime?
    var longest = Duration.zero
    var attempts = [0, 0, 0, 0]
    var scanned = Duration.zero
    var step = Duration.milliseconds(100)
    let end = desk.now.advanced(by: .seconds(600))
    while desk.now < end {
      step = .milliseconds(100)
      for board in 0..<4 { desk.hear(board) }
      switch desk.next() {
      case .startScanning:
        desk.scheduler.scanChanged(to: .on)
        if let since = deafSince { longest = max(longest, since.duration(to: desk.now)) }
        deafSince = nil
      case .stopScanning:
        desk.scheduler.scanChanged(to: .off)
        deafSince = desk.now
        step = .zero
      case .connect(let board):
        attempts[board] += 1
        desk.pass(.seconds(10))
        desk.fail(board, after: .seconds(10))
        step = .zero
      case nil:
        if desk.scheduler.scan == .on { scanned += step }
      }
      desk.pass(step)
    }
    #expect(longest <= .seconds(20), "deaf for \(longest)")
    #expect(scanned >= .seconds(60))
    #expect(attempts.allSatisfy { $0 >= 3 }, "\(attempts)")
  }

  @Test func `a board is connected at once although somebody listens`() {
    var desk = Desk(boards: 1)
    desk.scheduler.listening = .always
    #expect(desk.next() == .startScanning)
    desk.scheduler.scanChanged(to: .on)
    desk.hear(0)
    #expect(desk.next() == .stopScanning)
    desk.scheduler.scanChanged(to: .off)
    #expect(desk.next() == .connect(0))
    desk.scheduler.linked(0, at: desk.now)
    #expect(desk.next() == .startScanning)
  }

  @Test func `nothing happens without an adapter or a board that is wanted`() {
    var desk = Desk(boards: 1, isUsable: false)
    #expect(desk.next() == nil)
    desk.scheduler.setUsable(true)
    desk.scheduler.want(0, false)
    desk.hear(0)
    #expect(desk.next() == nil)
  }

  @Test func `a board is scanned for, heard, and connected once the scan has stopped`() {
    var desk = Desk(boards: 1)
    #expect(desk.next() == .startScanning)
    #expect(desk.next() == nil)
    desk.hear(0)
    #expect(desk.next() == nil)
    desk.scheduler.scanChanged(to: .on)
    #expect(desk.next() == .stopScanning)
    #expect(desk.next() == nil)
    desk.scheduler.scanChanged(to: .off)
    #expect(desk.next() == .connect(0))
    #expect(desk.next() == nil)
    desk.scheduler.linked(0, at: desk.now)
    #expect(desk.next() == nil)
  }

  @Test func `one connect at a time, in turn`() {
    var desk = Desk(boards: 3)
    for board in [2, 0, 1] { desk.hear(board) }
    #expect(desk.connectNext() == 0)
    #expect(desk.connectNext() == nil)
    desk.scheduler.linked(0, at: desk.now)
    #expect(desk.connectNext() == 1)
    desk.scheduler.left(1)
    desk.hear(1)
    #expect(desk.connectNext() == 2)
  }

  @Test func `a board that fails for ever comes after each that waits`() {
    var desk = Desk(boards: 3)
    var turns: [Int] = []
    for _ in 0..<30 {
      for board in 0..<3 { desk.hear(board) }
      guard let board = desk.connectNext() else {
        desk.pass(.seconds(60))
        continue
      }
      turns.append(board)
      desk.pass(.seconds(10))
      desk.fail(board, after: .seconds(10))
    }
    for board in 0..<3 { #expect(turns.count { $0 == board } >= 9) }
  }

  @Test func `a board is tried only when it was heard after its last attempt`() {
    var desk = Desk(boards: 1)
    desk.hear(0)
    #expect(desk.connectNext() == 0)
    desk.pass(.seconds(10))
    desk.fail(0, after: .seconds(10))
    desk.pass(.seconds(1))
    #expect(desk.next() == .startScanning)
    desk.scheduler.scanChanged(to: .on)
    #expect(desk.connectNext() == nil)
    desk.hear(0)
    #expect(desk.connectNext() == 0)
  }

  @Test func `a quick failure is tried again at once, ahead of others and once`() {
    var desk = Desk(boards: 2)
    desk.hear(0)
    desk.hear(1)
    #expect(desk.connectNext() == 0)
    desk.pass(.seconds(4.9))
    desk.fail(0, after: .seconds(4.9))
    #expect(desk.next() == .connect(0))
    desk.fail(0, after: .seconds(1))
    #expect(desk.next() == .connect(1))
  }

  @Test func `a slow failure is not tried again at once`() {
    var desk = Desk(boards: 1)
    desk.hear(0)
    #expect(desk.connectNext() == 0)
    desk.fail(0, after: .seconds(5))
    desk.hear(0)
    #expect(desk.connectNext() == nil)
  }

  @Test func `pauses grow from one second to sixty, and a minute of health ends them`() {
    var desk = Desk(boards: 1)
    var pauses: [Duration] = []
    for _ in 0..<9 {
      desk.hear(0)
      #expect(desk.connectNext() == 0)
      desk.fail(0, after: .seconds(10))
      let wakeUp = desk.scheduler.wakeUp(after: desk.now)
      pauses.append(wakeUp.map { desk.now.duration(to: $0) } ?? .zero)
      desk.pass(pauses.last ?? .zero)
    }
    #expect(pauses == [1, 2, 4, 8, 16, 32, 60, 60, 60].map { .seconds($0) })
    desk.hear(0)
    #expect(desk.connectNext() == 0)
    desk.scheduler.linked(0, at: desk.now)
    desk.fail(0, after: .seconds(60), wasUp: true)
    // Healthy: scanned for at once.
    #expect(desk.next() == .startScanning)
  }

  @Test func `a connection that does not last is followed by a pause`() {
    var desk = Desk(boards: 1)
    desk.hear(0)
    #expect(desk.connectNext() == 0)
    desk.scheduler.linked(0, at: desk.now)
    desk.fail(0, after: .seconds(3), wasUp: true)
    #expect(desk.next() == nil)
    desk.pass(.seconds(1))
    #expect(desk.next() == .startScanning)
  }

  @Test func `nobody scans while all boards are connected, pause, or are not wanted`() {
    var desk = Desk(boards: 2)
    desk.hear(0)
    #expect(desk.next() == .connect(0))
    desk.scheduler.linked(0, at: desk.now)
    #expect(desk.next() == .startScanning)
    desk.scheduler.scanChanged(to: .on)
    desk.scheduler.want(1, false)
    #expect(desk.next() == .stopScanning)
    desk.scheduler.scanChanged(to: .off)
    desk.fail(0, after: .seconds(10), wasUp: true)
    #expect(desk.next() == nil)
    desk.pass(.seconds(1))
    #expect(desk.next() == .startScanning)
  }

  @Test func `listeners keep the scan on, but not during a connect`() {
    var desk = Desk(boards: 1)
    desk.scheduler.want(0, false)
    desk.scheduler.listening = .always
    #expect(desk.next() == .startScanning)
    desk.scheduler.scanChanged(to: .on)
    #expect(desk.next() == nil)
    desk.scheduler.want(0, true)
    desk.hear(0)
    #expect(desk.next() == .stopScanning)
    desk.scheduler.scanChanged(to: .off)
    #expect(desk.next() == .connect(0))
    #expect(desk.next() == nil)
    desk.scheduler.linked(0, at: desk.now)
    #expect(desk.next() == .startScanning)
    desk.scheduler.scanChanged(to: .on)
    desk.scheduler.listening = .none
    #expect(desk.next() == .stopScanning)
  }

  @Test func `an old advertisement is no reason to connect`() {
    var desk = Desk(boards: 1)
    desk.hear(0)
    desk.pass(.seconds(16))
    #expect(desk.next() == .startScanning)
    desk.scheduler.scanChanged(to: .on)
    #expect(desk.next() == nil)
    desk.hear(0)
    #expect(desk.connectNext() == 0)
  }

  @Test func `a scan that is refused waits longer each time`() {
    var desk = Desk(boards: 1)
    for pause in [1, 2, 4] {
      #expect(desk.next() == .startScanning)
      desk.scheduler.scanFailed(at: desk.now, random: 0)
      #expect(desk.next() == nil)
      let wakeUp = desk.scheduler.wakeUp(after: desk.now)
      #expect(wakeUp == desk.now.advanced(by: .seconds(pause)))
      desk.pass(.seconds(pause))
    }
  }

  @Test func `an adapter that goes takes everything under way with it`() {
    var desk = Desk(boards: 2)
    desk.hear(0)
    #expect(desk.connectNext() == 0)
    desk.scheduler.setUsable(false)
    #expect(desk.next() == nil)
    desk.scheduler.setUsable(true)
    #expect(desk.next() == .startScanning)
    desk.scheduler.scanChanged(to: .on)
    desk.hear(1)
    #expect(desk.connectNext() == 1)
  }
}
