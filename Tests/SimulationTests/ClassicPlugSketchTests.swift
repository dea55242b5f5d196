import Simulation
import Testing

/// "Lamp", from `sketchStart`, 30 minutes, daily: written by hand from the layout.
private let lamp: [UInt8] =
  [0x4C, 0x61, 0x6D, 0x70] + [UInt8](repeating: 0, count: 17) + [
    0x00, 0xF1, 0x53, 0x65, 0x1E, 0x00, 0xA0, 0x05,
  ]

struct `The memory and the wire of the classic plug` {
  @Test func `an activation is 29 packed little-endian bytes`() {
    #expect(slot("Lamp", length: 30, period: 1440).bytes == lamp)
    let read = PlugSlot(bytes: lamp)
    #expect(read?.name == "Lamp")
    #expect(read?.start == sketchStart)
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
