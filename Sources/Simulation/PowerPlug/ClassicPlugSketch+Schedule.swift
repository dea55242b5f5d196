extension ClassicPlugSketch {
  /// One turn of the sketch's loop: checks the table when that is due. Returns what the sketch sends.
  public mutating func turn(at time: Duration) -> [[UInt8]] {
    guard isPowered, !isBlocked else { return [] }
    // A true time set back would otherwise stop the checks for as long.
    nextCheck = min(nextCheck, time + options.checkInterval)
    guard nextCheck <= time else { return [] }
    nextCheck = time + options.checkInterval
    let before = status
    check(at: clock(at: time))
    return options.reportsChanges && isServing && status != before ? [status] : []
  }

  /// All turns up to `time` in which a check is due: as if the loop had run all the while. What lies before
  /// the last 100,000 of them is skipped.
  public mutating func run(until time: Duration) -> [[UInt8]] {
    guard isPowered, !isBlocked else { return [] }
    nextCheck = max(nextCheck, time - options.checkInterval * 100_000)
    var messages: [[UInt8]] = []
    while nextCheck < time { messages += turn(at: nextCheck) }
    return messages + turn(at: time)
  }

  /// Makes a check due at `time`, and none before: the time was moved, nothing was missed.
  public mutating func skipChecks(until time: Duration) { nextCheck = time }

  /// When the next check is due; nil while none will be, whatever time passes.
  public var nextCheckTime: Duration? {
    guard isPowered, !isBlocked, !isManual else { return nil }
    return isOn || slots.contains { !$0.isFree } ? nextCheck : nil
  }

  /// Starts of cycles that are over, moved by as many periods as needed.
  ///
  /// A step of 0 (a period whose seconds are a multiple of 65536) would keep a real board in this loop for
  /// ever; here the start stays.
  mutating func moveStarts(to now: UInt32) {
    for base in stride(from: 0, to: table.count, by: PlugSlot.size) where table[base] != 0 {
      let end = end(at: base)
      let step = step(at: base)
      guard end <= now, step > 0 else { continue }
      let start = table.unsigned32(at: base + PlugSlot.startOffset)
      table.setUnsigned32(start &+ ((now - end) / step + 1) &* step, at: base + PlugSlot.startOffset)
    }
  }

  private mutating func check(at now: UInt32) {
    guard !isManual else { return }
    var shouldBeOn = false
    for base in stride(from: 0, to: table.count, by: PlugSlot.size) where table[base] != 0 {
      let start = table.unsigned32(at: base + PlugSlot.startOffset)
      let end = end(at: base)
      if start <= now && now < end {
        shouldBeOn = true
      } else if end <= now {
        let endedNow = previousCheckClock.map { $0 < end } ?? false
        if endedNow && options.overlaps == .endSwitchesOff { shouldBeOn = false }
        table.setUnsigned32(start &+ step(at: base), at: base + PlugSlot.startOffset)
      }
    }
    isOn = shouldBeOn
    previousCheckClock = now
  }

  private func end(at base: Int) -> UInt32 {
    table.unsigned32(at: base + PlugSlot.startOffset)
      &+ 60 * UInt32(table.unsigned16(at: base + PlugSlot.lengthOffset))
  }

  /// Seconds by which a start moves after a cycle; 0 for an activation that happens once.
  private func step(at base: Int) -> UInt32 {
    let seconds = 60 * UInt32(table.unsigned16(at: base + PlugSlot.periodOffset))
    return options.periodArithmetic == .sixteenBits ? seconds & 0xFFFF : seconds
  }
}
