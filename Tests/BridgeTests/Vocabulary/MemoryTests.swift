import DeviceModel
import Foundation
import TestSupport
import Testing

struct `What an adapter remembers` {
  static let probe = "{ name: Probe, kind: probe }"

  @Test func `comes back as the first input of all after a restart`() async throws {
    try await withLodge([Self.probe]) { lodge in
      #expect(try await lodge.remembered() == "remembered null")
      try await lodge.order(#"{"remember":{"a":[1,"ü",null]}}"#)
      try await lodge.order(#"{"random":1}"#)
      try await lodge.heard("random 1")
      await lodge.stop()
      let seen = lodge.recorder.messages.count
      try await lodge.start()
      #expect(try await lodge.remembered(from: seen) == #"remembered {"a":[1,"ü",null]}"#)
    }
  }

  @Test func `is on the disk before what waits for that`() async throws {
    try await withLodge([Self.probe]) { lodge in
      try await lodge.order(#"{"remember":"kept","when_kept":"done"}"#)
      try await lodge.heard("timer done")
      // The first bridge is left where it is, as if it had been killed.
      let copy = try Data(contentsOf: URL(filePath: lodge.folder("state/main.memory.json")))
      #expect(String(decoding: copy, as: UTF8.self).contains("kept"))
      await lodge.stop()
      try copy.write(to: URL(filePath: lodge.folder("state/main.memory.json")))
      let seen = lodge.recorder.messages.count
      try await lodge.start()
      #expect(try await lodge.remembered(from: seen) == #"remembered "kept""#)
    }
  }

  @Test func `survives a reload that changes the device, and goes with it`() async throws {
    try await withLodge([Self.probe]) { lodge in
      try await lodge.order(#"{"remember":5}"#)
      try await lodge.order(#"{"random":1}"#)
      try await lodge.heard("random 1")
      lodge.text.devices = ["{ name: Probe, kind: probe, options: { farewell: Bye } }"]
      var seen = lodge.recorder.messages.count
      #expect(lodge.reload() == nil)
      #expect(try await lodge.remembered(from: seen) == "remembered 5")
      lodge.text.devices = []
      #expect(lodge.reload() == nil)
      try await lodge.recorder.message(on: "sketch2mqtt/probe/availability", from: seen) { $0.text.isEmpty }
      lodge.text.devices = [Self.probe]
      seen = lodge.recorder.messages.count
      #expect(lodge.reload() == nil)
      #expect(try await lodge.remembered(from: seen) == "remembered null")
    }
  }

  @Test func `means nothing to a device of another kind`() async throws {
    try await withLodge([Self.probe]) { lodge in
      try await lodge.order(#"{"remember":5,"random":1}"#)
      try await lodge.heard("random 1")
      lodge.text.devices = ["{ name: Probe, kind: ear_probe }"]
      let seen = lodge.recorder.messages.count
      #expect(lodge.reload() == nil)
      #expect(try await lodge.remembered(from: seen) == "remembered null")
    }
  }

  @Test func `may have 64 kB and no more`() async throws {
    try await withLodge([Self.probe]) { lodge in
      let file = URL(filePath: lodge.folder("state/main.memory.json"))
      let most = String(repeating: "x", count: 64 * 1024 - 100)
      try await lodge.order(#"{"remember":"\#(most)","when_kept":"1"}"#)
      try await lodge.heard("timer 1")
      #expect(try Data(contentsOf: file).count > 65_000)
      // It is longer when it is written out.
      let long = String(repeating: "1e9,", count: 10_000)
      try await lodge.order(#"{"remember":[\#(long)0]}"#)
      try await lodge.order(#"{"random":2}"#)
      try await lodge.heard("random 2")
      #expect(lodge.log.all.contains { $0.hasPrefix("error: probe: ") && $0.contains("remember") })
      await lodge.stop()
      let seen = lodge.recorder.messages.count
      try await lodge.start()
      #expect(try await lodge.remembered(from: seen) == #"remembered "\#(most)""#)
    }
  }

  @Test(arguments: ["", "{", "[]", #"{"version":1}"#, #"{"devices":{"probe":7}}"#, "\u{0}"])
  func `that is damaged on the disk is warned of and costs nothing else`(content: String) async throws {
    try await withLodge([]) { lodge in
      await lodge.stop()
      try FileManager.default.createDirectory(
        atPath: lodge.folder("state"), withIntermediateDirectories: true)
      try Data(content.utf8).write(to: URL(filePath: lodge.folder("state/main.memory.json")))
      lodge.text.devices = [Self.probe]
      try await lodge.start()
      #expect(try await lodge.remembered() == "remembered null")
      try await lodge.order(#"{"remember":5,"random":1}"#)
      try await lodge.heard("random 1")
      await lodge.stop()
      let seen = lodge.recorder.messages.count
      try await lodge.start()
      #expect(try await lodge.remembered(from: seen) == "remembered 5")
    }
  }

  @Test func `is not waited for where a pipe stands in its place`() async throws {
    try await withLodge([]) { lodge in
      await lodge.stop()
      try FileManager.default.createDirectory(
        atPath: lodge.folder("state"), withIntermediateDirectories: true)
      for name in ["main.json", "main.memory.json", "main.added.json"] {
        unlink(lodge.folder("state/\(name)"))
        #expect(mkfifo(lodge.folder("state/\(name)"), 0o600) == 0)
      }
      lodge.text.devices = [Self.probe]
      try await lodge.start()
      #expect(try await lodge.remembered() == "remembered null")
      #expect(lodge.log.all.contains { $0.contains("main.memory.json: it is not a regular file") })
    }
  }

  @Test func `that cannot be written is warned of once, and the device goes on`() async throws {
    try await withLodge([Self.probe]) { lodge in
      // A folder in the file's place: nobody can write it, whatever their rights.
      await lodge.stop()
      try? FileManager.default.removeItem(atPath: lodge.folder("state/main.memory.json"))
      try FileManager.default.createDirectory(
        atPath: lodge.folder("state/main.memory.json/x"), withIntermediateDirectories: true)
      try await lodge.start()
      for number in 1...3 {
        let seen = lodge.recorder.messages.count
        try await lodge.order(#"{"remember":\#(number),"when_kept":"\#(number)"}"#)
        try await lodge.heard(from: seen, "timer \(number)")
      }
      let warnings = lodge.log.all.filter { $0.hasPrefix("warning") && $0.contains("cannot write") }
      #expect(warnings.count == 1)
      lodge.text.devices = ["{ name: Probe, kind: probe, options: { farewell: Bye } }"]
      let seen = lodge.recorder.messages.count
      #expect(lodge.reload() == nil)
      #expect(try await lodge.remembered(from: seen) == "remembered 3")
    }
  }
}
