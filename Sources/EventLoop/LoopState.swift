import CLinux
import Glibc

/// What the loop's thread keeps for itself: watches, timers and what waits for the end of the turn.
@Loop final class LoopState {
  static let shared = LoopState()

  private var slots: [Slot] = []
  private var freeSlots: [Int] = []
  private var timers = TimerQueue()
  private var standstill = Standstill()
  private var standstillWatches: [StandstillWatch] = []
  private var atTurnEnd: [@Loop () -> Void] = []
  private(set) var turn: UInt64 = 0

  private struct Slot {
    var watch: DescriptorWatch?
    /// Counts the owners of this slot, so that an event of an earlier one is told apart.
    var generation: UInt32 = 0
  }

  func add(_ watch: DescriptorWatch) -> UInt64 {
    let index = freeSlots.popLast() ?? slots.count
    if index == slots.count { slots.append(Slot()) }
    slots[index].watch = watch
    slots[index].generation &+= 1
    return UInt64(slots[index].generation) << 32 | UInt64(index)
  }

  func remove(_ data: UInt64) {
    let index = Int(data & 0xFFFF_FFFF)
    slots[index].watch = nil
    freeSlots.append(index)
  }

  func deliver(_ events: UInt32, to data: UInt64) {
    let index = Int(data & 0xFFFF_FFFF)
    guard index < slots.count, slots[index].generation == UInt32(data >> 32) else { return }
    slots[index].watch?.deliver(events)
  }

  func add(_ watch: StandstillWatch) { standstillWatches.append(watch) }
  func remove(_ watch: StandstillWatch) { standstillWatches.removeAll { $0 === watch } }

  /// After a wait of at most `milliseconds`, −1 for any time.
  func awoke(after milliseconds: Int32) {
    let planned: Duration? = milliseconds < 0 ? nil : .milliseconds(milliseconds)
    guard let lost = standstill.awoke(at: .nowWithSleep, after: planned) else { return }
    for watch in standstillWatches { watch.call(lost) }
    fireDueTimers()
  }

  func add(_ timer: LoopTimer) { timers.insert(timer) }
  func remove(_ timer: LoopTimer) { timers.remove(timer) }

  func callAtTurnEnd(_ body: @escaping @Loop () -> Void) { atTurnEnd.append(body) }

  /// Milliseconds until the earliest timer, rounded up; −1 with none. A standstill within a longer wait could not be
  /// told from the wait.
  func millisecondsToWait() -> Int32 {
    if !atTurnEnd.isEmpty { return 0 }
    let longest: Int32? = standstillWatches.isEmpty ? nil : 5000
    guard let deadline = timers.earliest else { return longest ?? -1 }
    let now = MonotonicTime.now
    if deadline <= now { return 0 }
    let wait = (now.duration(to: deadline).nanoseconds + 999_999) / 1_000_000
    return Int32(min(wait, Int64(longest ?? Int32.max)))
  }

  /// Fires what is due, then what waits for the turn's end, as many times as there is something to call.
  func finishTurn() {
    fireDueTimers()
    turn &+= 1
    let bodies = atTurnEnd
    if bodies.isEmpty { return }
    atTurnEnd.removeAll(keepingCapacity: true)
    for body in bodies { body() }
  }
}

extension LoopState {
  private func fireDueTimers() {
    guard timers.earliest != nil else { return }
    let now = MonotonicTime.now
    while let timer = timers.popDue(at: now) { timer.fire() }
  }
}

extension Loop {
  /// The number of the present turn: all that happens between two waits happens in one.
  @Loop public static var turn: UInt64 { LoopState.shared.turn }

  /// Runs `body` once, after all that is ready in the present turn was handled and before the loop waits again.
  @Loop public static func atTurnEnd(_ body: @escaping @Loop () -> Void) {
    LoopState.shared.callAtTurnEnd(body)
  }
}
