@testable import BlueZ
import EventLoop
import Testing

/// A scheduler with a clock of its own, and its boards.
struct Desk {
  var scheduler: ConnectScheduler
  var now = MonotonicTime(nanoseconds: 0)

  init(boards: Int, timing: ConnectTiming = ConnectTiming(), isUsable: Bool = true) {
    scheduler = ConnectScheduler(timing: timing)
    for board in 0..<boards {
      scheduler.add(board)
      scheduler.want(board, true)
    }
    if isUsable { scheduler.setUsable(true) }
  }

  mutating func next() -> ConnectScheduler.Action? { scheduler.next(at: now) }
  mutating func pass(_ duration: Duration) { now = now.advanced(by: duration) }
  mutating func hear(_ board: Int) { scheduler.heard(board, at: now) }

  mutating func fail(_ board: Int, after lasted: Duration, wasUp: Bool = false) {
    scheduler.failed(board, after: lasted, wasUp: wasUp, at: now, random: 0)
  }

  /// Through scanning to the connect of whichever board is next; nil when none is.
  mutating func connectNext() -> Int? {
    for _ in 0..<4 {
      switch next() {
      case .startScanning: scheduler.scanChanged(to: .on)
      case .stopScanning: scheduler.scanChanged(to: .off)
      case .connect(let board): return board
      case nil: return nil
      }
    }
    return nil
  }
}
