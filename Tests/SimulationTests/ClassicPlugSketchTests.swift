import Simulation
import Testing

/// 2023-11-14 22:13:20 UTC, 0x6553F100.
private let start: UInt32 = 1_700_000_000
private let noon = Duration.seconds(1_700_000_000)

/// "Lamp", from `start`, 30 minutes, daily: written by hand from the layout.
private let lamp: [UInt8] =
  [0x4C, 0x61, 0x6D, 0x70] + [UInt8](repeating: 0, count: 17) + [
    0x00, 0xF1, 0x53, 0x65, 0x1E, 0x00, 0xA0, 0x05,
  ]

private func slot(_ name: String, after seconds: UInt32 = 0, length: UInt16, period: UInt16) -> PlugSlot {
  PlugSlot(name: name, start: start + seconds, lengthMinutes: length, periodMinutes: period)
}

private func sketch(_ slots: PlugSlot..., change: (inout PlugSketchOptions) -> Void = { _ in })
  -> ClassicPlugSketch
{
  var options = PlugSketchOptions.classic
  change(&options)
  var sketch = ClassicPlugSketch(options: options, startedAt: noon - .seconds(1))
  for (index, slot) in slots.enumerated() { sketch.put(slot, at: index) }
  return sketch
}

extension ClassicPlugSketch {
  /// Lets the time pass with all its checks; the appliance is on then.
  fileprivate mutating func expectOn(after seconds: Int, at location: SourceLocation = #_sourceLocation) {
    _ = run(until: noon + .seconds(seconds))
    #expect(isOn, "after \(seconds) s", sourceLocation: location)
  }

  fileprivate mutating func expectOff(after seconds: Int, at location: SourceLocation = #_sourceLocation) {
    _ = run(until: noon + .seconds(seconds))
    #expect(!isOn, "after \(seconds) s", sourceLocation: location)
  }

  fileprivate mutating func receive(_ bytes: [UInt8]) -> Reaction { receive(bytes, at: noon) }

  fileprivate func starts() -> [UInt32] {
    slots.filter { !$0.isFree }.map { $0.start - 1_700_000_000 }
  }
}

struct `The memory and the wire of the classic plug` {
  @Test func `an activation is 29 packed little-endian bytes`() {
    #expect(slot("Lamp", length: 30, period: 1440).bytes == lamp)
    let read = PlugSlot(bytes: lamp)
    #expect(read?.name == "Lamp")
    #expect(read?.start == start)
    #expect(read?.lengthMinutes == 30)
    #expect(read?.periodMinutes == 1440)
    #expect(PlugSlot(bytes: lamp.dropLast()) == nil)
    #expect(PlugSlot(bytes: lamp + [0]) == nil)
  }

  @Test func `a name ends at 20 bytes, and one without NUL is read as 21`() {
    let long = PlugSlot(name: String(repeating: "x", count: 30), start: 0, lengthMinutes: 0, periodMinutes: 0)
    #expect(long.name.count == 20)
    #expect(long.bytes[20] == 0)
    #expect(PlugSlot(bytes: [UInt8](repeating: 0x41, count: 29))?.name.count == 21)
  }

  @Test func `a client hears the mode and the appliance`() {
    var sketch = sketch()
    #expect(sketch.clientConnected() == [[0x53, 0, 0]])
    #expect(sketch.receive([0x53, 1]).messages.isEmpty)
    sketch.clientDisconnected(at: noon)
    #expect(sketch.clientConnected() == [[0x53, 1, 1]])
  }

  @Test func `A brings the whole table, free slots included`() {
    var sketch = sketch(slot("Lamp", length: 30, period: 1440))
    _ = sketch.clientConnected()
    let answer = sketch.receive([0x41]).messages
    #expect(answer == [[0x41] + lamp + [UInt8](repeating: 0, count: 261)])
    #expect(answer[0].count == 291)
  }

  @Test(arguments: [0, 1, 3, 12]) func `the number of slots is the sketch's own`(count: Int) {
    var sketch = sketch { $0.slots = count }
    _ = sketch.clientConnected()
    #expect(sketch.receive([0x41]).messages.map(\.count) == [1 + 29 * count])
    _ = sketch.receive([0x55, 0] + lamp)
    _ = sketch.receive([0x44, 0])
    #expect(sketch.table.count == 29 * count)
  }

  @Test func `U writes its slot without a word, in pieces too`() {
    var sketch = sketch()
    _ = sketch.clientConnected()
    for byte in [0x55, 9] + lamp {
      #expect(sketch.slots[9].isFree)
      #expect(sketch.receive([byte]).messages.isEmpty)
    }
    #expect(sketch.slots[9].bytes == lamp)
    #expect(sketch.slots.count { !$0.isFree } == 1)
  }

  @Test func `D clears its slot and moves no other`() {
    let kept = slot("Kept", length: 1, period: 0)
    var whole = sketch(slot("Lamp", length: 30, period: 1440), kept)
    _ = whole.clientConnected()
    #expect(whole.receive([0x44, 0]).commands == [.clear(slot: 0)])
    #expect(whole.slots[0] == .free)
    #expect(whole.slots[1] == kept)

    var nameOnly = sketch(slot("Lamp", length: 30, period: 1440)) { $0.clearing = .zeroesFirstByte }
    _ = nameOnly.clientConnected()
    _ = nameOnly.receive([0x44, 0])
    #expect(nameOnly.slots[0].isFree)
    #expect(nameOnly.slots[0].bytes == [0] + lamp.dropFirst())
  }

  @Test func `an index beyond the table changes nothing, or wraps around`() {
    for index: UInt8 in [10, 11, 255] {
      var ignoring = sketch()
      _ = ignoring.clientConnected()
      #expect(ignoring.receive([0x55, index] + lamp).messages.isEmpty)
      #expect(ignoring.receive([0x44, index]).messages.isEmpty)
      #expect(ignoring.table == [UInt8](repeating: 0, count: 290))
    }
    var wrapping = sketch { $0.indexBeyondTable = .wrapsAround }
    _ = wrapping.clientConnected()
    _ = wrapping.receive([0x55, 13] + lamp)
    #expect(wrapping.slots[3].bytes == lamp)
  }

  @Test func `S switches by hand, and 0 is off by hand or back to automatic`() {
    for (offCommand, manualAfter) in [
      (PlugSketchOptions.OffCommand.switchesOffByHand, true), (.returnsToAutomatic, false),
    ] {
      var sketch = sketch { $0.offCommand = offCommand }
      _ = sketch.clientConnected()
      _ = sketch.receive([0x53, 1])
      #expect(sketch.status == [0x53, 1, 1])
      _ = sketch.receive([0x53, 0])
      #expect(sketch.isManual == manualAfter)
      #expect(!sketch.isOn)
    }
  }

  @Test func `S 2 is on for a classic board and automatic for a newer one`() {
    for (states, status) in [
      (PlugSketchOptions.OtherStates.switchOn, [0x53, 1, 1] as [UInt8]), (.ignored, [0x53, 1, 0]),
      (.twoIsAutomatic, [0x53, 0, 0]),
    ] {
      var sketch = sketch { $0.otherStates = states }
      _ = sketch.clientConnected()
      _ = sketch.receive([0x53, 0])
      _ = sketch.receive([0x53, 2])
      #expect(sketch.status == status)
    }
  }

  @Test func `a board that notices its client late sends S right before the answer`() {
    var sketch = sketch { $0.greeting = .onFirstByte }
    #expect(sketch.clientConnected().isEmpty)
    let answers = sketch.receive([0x41]).messages
    #expect(answers.map(\.first) == [0x53, 0x41])
    #expect(sketch.receive([0x41]).messages.count == 1)
  }

  @Test func `glued commands are all served, or only the first`() {
    let bytes: [UInt8] = [0x53, 1, 0x55, 0] + lamp + [0x41]
    var all = sketch()
    _ = all.clientConnected()
    #expect(all.receive(bytes).commands.count == 3)
    #expect(all.slots[0].bytes == lamp)

    var first = sketch { $0.gluedCommands = .firstServed }
    _ = first.clientConnected()
    #expect(first.receive(bytes).commands == [.state(1)])
    #expect(first.droppedBytes == 32)
    #expect(first.slots[0].isFree)
  }

  @Test func `what begins no command is passed over, and a client takes its unfinished command along`() {
    var sketch = sketch()
    _ = sketch.clientConnected()
    #expect(sketch.receive([0x00, 0xFF, 0x41]).commands == [.unknown(0), .unknown(0xFF), .table])
    _ = sketch.receive([0x55, 0, 0x4C])
    sketch.clientDisconnected(at: noon)
    _ = sketch.clientConnected()
    #expect(sketch.receive([0x41]).commands == [.table])
  }

  @Test func `lost commands are received and have no effect`() {
    var sketch = sketch()
    _ = sketch.clientConnected()
    sketch.lostCommands = [.write, .state]
    #expect(sketch.receive([0x53, 1]).commands == [.state(1)])
    _ = sketch.receive([0x55, 0] + lamp)
    #expect(sketch.status == [0x53, 0, 0])
    #expect(sketch.slots[0].isFree)
    #expect(sketch.receive([0x41]).messages.count == 1)
  }

  @Test func `any bytes leave a table of the same size`() {
    var random = SystemRandomNumberGenerator()
    var sketch = sketch { $0.indexBeyondTable = .wrapsAround }
    _ = sketch.clientConnected()
    for _ in 0..<2000 {
      let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
        Bool.random(using: &random)
          ? UInt8.random(in: 0...255, using: &random) : [0x41, 0x44, 0x53, 0x55][Int.random(in: 0...3)]
      }
      for message in sketch.receive(bytes).messages { #expect(message.count == 291) }
      sketch.clientDisconnected(at: noon)
      _ = sketch.run(until: noon + .seconds(Int.random(in: 0...1000, using: &random)))
      _ = sketch.clientConnected()
    }
    #expect(sketch.table.count == 290)
  }
}

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
