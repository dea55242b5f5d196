import Simulation
import Testing

struct `The schedule of the classic plug` {
  @Test func `the appliance is on from start to start and length, late by a check at most`() {
    var sketch = sketch(slot("Lamp", after: 5, length: 1, period: 60))
    sketch.expectOff(after: 4)
    sketch.expectOn(after: 15)
    sketch.expectOn(after: 64)
    sketch.expectOff(after: 75)
    #expect(sketch.starts() == [5 + 3600])
    sketch.expectOff(after: 3604)
    sketch.expectOn(after: 3615)
  }

  @Test func `a spent one-off stays in the table`() {
    var sketch = sketch(slot("Once", length: 1, period: 0))
    sketch.expectOn(after: 10)
    sketch.expectOff(after: 70)
    sketch.expectOff(after: 100_000)
    #expect(sketch.starts() == [0])
  }

  @Test(arguments: [(1092, 65_520), (1093, 44), (1440, 20_864), (10080, 14_976)])
  func `a period is computed in 16 bits`(minutes: UInt16, moved: UInt32) {
    var classic = sketch(slot("Lamp", length: 1, period: minutes))
    _ = classic.run(until: noon + .seconds(70))
    #expect(classic.starts() == [moved])
    var fixed = sketch(slot("Lamp", length: 1, period: minutes)) { $0.periodArithmetic = .thirtyTwoBits }
    _ = fixed.run(until: noon + .seconds(70))
    #expect(fixed.starts() == [60 * UInt32(minutes)])
  }

  @Test func `catching up drifts too`() {
    var sketch = sketch(slot("Lamp", length: 30, period: 1440))
    sketch.cutPower(at: noon + .seconds(60))
    sketch.returnPower(at: noon + .seconds(86_400))
    #expect(sketch.starts() == [5 * 20_864])
  }

  @Test func `a period whose seconds vanish in 16 bits stops nothing`() {
    var sketch = sketch(slot("Lamp", length: 1, period: 16384))
    sketch.expectOff(after: 100)
    sketch.cutPower(at: noon + .seconds(200))
    sketch.returnPower(at: noon + .seconds(300))
    #expect(sketch.starts() == [0])
  }

  @Test func `nothing is switched while a client stays, and at once when it has left`() {
    var sketch = sketch(slot("Lamp", after: 60, length: 10, period: 60))
    _ = sketch.clientConnected()
    sketch.expectOff(after: 300)
    sketch.clientDisconnected(at: noon + .seconds(301))
    sketch.expectOn(after: 301)
    _ = sketch.clientConnected()
    sketch.expectOn(after: 3000)
    #expect(sketch.starts() == [60])
  }

  @Test func `a client that was not noticed stops no schedule`() {
    var sketch = sketch(slot("Lamp", after: 60, length: 10, period: 60)) { $0.greeting = .onFirstByte }
    _ = sketch.clientConnected()
    sketch.expectOn(after: 75)
    _ = sketch.receive([0x41])
    sketch.expectOn(after: 3000)
  }

  @Test func `a newer board keeps its schedule while a client stays, and reports`() {
    var sketch = ClassicPlugSketch(options: .newer, startedAt: noon)
    sketch.put(slot("Lamp", after: 60, length: 10, period: 60), at: 0)
    _ = sketch.clientConnected()
    #expect(sketch.run(until: noon + .seconds(75)) == [[0x53, 0, 1]])
    #expect(sketch.receive([0x53, 0]).messages == [[0x53, 1, 0]])
    #expect(sketch.receive([0x53, 0]).messages.isEmpty)
    #expect(sketch.receive([0x53, 2]).messages == [[0x53, 0, 0]])
  }

  @Test func `manual ignores the activations, and automatic catches up`() {
    var sketch = sketch(slot("Lamp", after: 60, length: 10, period: 60)) {
      $0.offCommand = .returnsToAutomatic
    }
    _ = sketch.clientConnected()
    _ = sketch.receive([0x53, 1])
    sketch.clientDisconnected(at: noon)
    sketch.expectOn(after: 10 * 3600)
    #expect(sketch.starts() == [60])
    _ = sketch.clientConnected()
    _ = sketch.receive([0x53, 0], at: noon + .seconds(10 * 3600 + 61))
    #expect(sketch.starts() == [60 + 36_000])
    sketch.clientDisconnected(at: noon + .seconds(10 * 3600 + 62))
    sketch.expectOn(after: 10 * 3600 + 62)
  }

  @Test func `a power cut forgets the mode, keeps the table, and is caught up with`() {
    var sketch = sketch(slot("Lamp", after: 60, length: 10, period: 60))
    _ = sketch.clientConnected()
    _ = sketch.receive([0x53, 1])
    sketch.cutPower(at: noon + .seconds(100))
    #expect(!sketch.isOn)
    sketch.expectOff(after: 120)
    #expect(sketch.receive([0x41]).messages.isEmpty)
    #expect(sketch.clientConnected().isEmpty)
    sketch.returnPower(at: noon + .seconds(5 * 3600 + 200))
    #expect(sketch.status == [0x53, 0, 0])
    #expect(sketch.starts() == [5 * 3600 + 60])
    sketch.expectOn(after: 5 * 3600 + 200)
  }

  @Test func `a clock that lost the outage fires late by it, until the network puts it right`() {
    var sketch = sketch(slot("Lamp", after: 3600, length: 10, period: 60)) {
      $0.clockAfterPowerCut = .continuesWhereItStopped
    }
    sketch.cutPower(at: noon)
    sketch.returnPower(at: noon + .seconds(1800))
    sketch.expectOff(after: 3700)
    sketch.expectOn(after: 3600 + 1800 + 10)
    sketch.synchroniseClock(at: noon + .seconds(5420))
    #expect(sketch.starts() == [7200])
    sketch.expectOff(after: 5430)
  }

  @Test func `a clock that begins in 1970 fires nothing`() {
    var sketch = sketch(slot("Lamp", length: 10, period: 60)) { $0.clockAfterPowerCut = .startsFromZero }
    sketch.cutPower(at: noon)
    sketch.returnPower(at: noon + .seconds(10))
    #expect(sketch.clock(at: noon + .seconds(15)) == 5)
    sketch.expectOff(after: 30)
    sketch.synchroniseClock(at: noon + .seconds(40))
    sketch.expectOn(after: 40)
  }

  @Test func `where activations overlap, the end of one switches off until the next check, or not at all`() {
    let early = slot("Early", length: 2, period: 0)
    let late = slot("Late", after: 60, length: 5, period: 0)
    var naive = sketch(late, early)
    naive.expectOn(after: 120)
    naive.expectOff(after: 130)
    naive.expectOn(after: 140)
    naive.expectOff(after: 370)
    var union = sketch(late, early) { $0.overlaps = .union }
    for second in stride(from: 10, to: 350, by: 10) { union.expectOn(after: second) }
  }

  @Test func `the checks of a long silence are bounded`() {
    var sketch = sketch(slot("Lamp", length: 1, period: 60))
    sketch.expectOff(after: 20 * 365 * 86_400 + 300)
    #expect(sketch.starts().allSatisfy { $0 > 0 })
  }

  @Test func `an interval of zero and a negative number of slots are put right`() {
    var sketch = sketch {
      $0.checkInterval = .zero
      $0.slots = -1
    }
    sketch.expectOff(after: 10)
    #expect(sketch.table.isEmpty)
  }

  @Test func `a time set back stops no check`() {
    var sketch = sketch(slot("Lamp", length: 60, period: 0))
    _ = sketch.run(until: noon + .seconds(100_000))
    sketch.expectOff(after: 20)
    sketch.expectOn(after: 31)
  }
}
