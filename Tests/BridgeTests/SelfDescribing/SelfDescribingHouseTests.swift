import DeviceModel
import EventLoop
import JSON
import Simulation
import TestSupport
import Testing

struct `The bridge with a self-describing board` {
  @Test func `shows what the board describes, and nothing that was configured`() async throws {
    try await withSketch { house, board in
      try await house.startWithSketch()
      try await house.announced("greenhouse") {
        $0.isSuperset(of: ["temperature", "wind", "pump", "target", "mode", "water", "bell", "door", "roof"])
      }
      try await house.message(on: "greenhouse") {
        $0.state("temperature") == 21.5 && $0.state("phase") == "ripening" && $0.state("wind") == "calm"
          && $0.state("next_watering") == "2026-11-30T00:53:20Z" && $0.state("window") == "OFF"
          && $0.state("target") == 20 && $0.state("mode") == "automatic" && $0.state("door") == "LOCKED"
          && $0.state("roof") == "closed" && $0.state("timers") == []
      }
      let seen = house.recorder.messages.count
      await board.board.change { $0.set("temperature", "-3") }
      await board.board.change { $0.fire("bell", "long") }
      try await house.message(on: "greenhouse", from: seen) { $0.state("temperature") == -3 }
      let event = try await house.message(on: "greenhouse/event", from: seen)
      #expect(try event.json == ["event_type": "long", "property": "bell"])
    }
  }

  @Test func `commands reach the board, and its own word is what is shown`() async throws {
    try await withSketch { house, board in
      try await house.startWithSketch()
      let cases: [(topic: String, payload: String, obeyed: String)] = [
        ("pump/set", "ON", "pump=1"), ("target/set", "7.5", "target=7.5"), ("mode/set", "away", "mode=2"),
        ("water/set", "PRESS", "water="), ("message/set", "a~b", #"message="a\7eb"#),
        ("door/set", "UNLOCK", "door=0"), ("roof/set", "STOP", "roof=2"),
        ("timers/put", #"{"name":"tea","minutes":3}"#, #"timers=p{"name":"tea","minutes":3}"#),
      ]
      let seen = house.recorder.messages.count
      for (topic, payload, obeyed) in cases {
        try await house.publish(payload, to: "greenhouse/\(topic)")
        try await board.board.wait { $0.sketch.obeyed.contains(obeyed) }
      }
      try await house.message(on: "greenhouse", from: seen) {
        $0.state("pump") == "ON" && $0.state("target") == 7.5 && $0.state("mode") == "away"
          && $0.state("message") == "a~b" && $0.state("door") == "UNLOCKED" && $0.state("roof") == "stopped"
          && $0.state("timers") == [["name": "tea", "minutes": 3]]
      }
      #expect(!house.recorder.messages.all.contains { Failure($0) != nil })
    }
  }

  @Test func `a refusal carries the board's words`() async throws {
    try await withSketch { house, board in
      try await house.startWithSketch()
      await board.board.change { $0.refusals["water"] = "n|the window is open" }
      let seen = house.recorder.messages.count
      try await house.publish("PRESS", to: "greenhouse/water/set")
      let failure = try await house.failure(from: seen)
      #expect(failure.device == "greenhouse")
      #expect(failure.property == "water")
      #expect(failure.reason == "not_now")
      #expect(failure.error.contains("the window is open"))
    }
  }

  @Test func `a lost answer presses nothing twice`() async throws {
    try await withSketch { house, board in
      try await house.startWithSketch()
      await board.board.change { $0.answersToLose = 1 }
      try await house.publish("PRESS", to: "greenhouse/water/set")
      try await board.board.wait { board in board.sketch.received.count { $0.hasSuffix("8=") } == 2 }
      try await house.publish("ON", to: "greenhouse/pump/set")
      try await board.board.wait { $0.sketch.obeyed.contains("pump=1") }
      #expect(await board.board.sketch.obeyed == ["water=", "pump=1"])
    }
  }

  @Test func `a retained command moves nothing`() async throws {
    try await withSketch { house, board in
      try await house.publish("PRESS", to: "greenhouse/water/set", retain: true)
      try await house.startWithSketch()
      try await house.publish("ON", to: "greenhouse/pump/set")
      try await board.board.wait { $0.sketch.obeyed.contains("pump=1") }
      #expect(await board.board.sketch.obeyed == ["pump=1"])
    }
  }

  @Test func `new firmware takes the old entities away, and keeps those of the same key`() async throws {
    try await withSketch(top: ["output: both"]) { house, board in
      try await house.startWithSketch()
      try await house.message(on: "greenhouse/wind") { $0.text == "calm" }
      let seen = house.recorder.messages.count
      await board.board.perform { board in
        board.flash(
          SelfDescribingSketch(
            "Greenhouse", identity: "3fa9c210", keepsIdentity: true, attributes: ["v2.0"],
            [SketchEntity("w", "pump", "Fountain"), SketchEntity("s", "level", "Level", "u%")]))
        board.change { $0.set("level", "50") }
      }
      try await house.announced("greenhouse", from: seen) {
        $0.contains("level") && $0.contains("pump")
      }
      try await house.message(on: "greenhouse", from: seen) {
        $0.state("level") == 50 && $0.state("wind") == nil && $0.state("pump") != nil
      }
      let topics = try await house.retained().keys
      #expect(topics.contains("sketch2mqtt/greenhouse/level"))
      #expect(!topics.contains("sketch2mqtt/greenhouse/wind"))
    }
  }

  @Test func `power lost in the middle of a line costs that line alone`() async throws {
    try await withSketch { house, board in
      try await house.startWithSketch()
      let seen = house.recorder.messages.count
      await board.board.perform { board in
        board.restart(in: "temperature", after: 6)
        board.change { $0.set("temperature", "19.5") }
      }
      try await house.message(on: "greenhouse", from: seen) { $0.state("temperature") == 19.5 }
      #expect(await board.board.sketch.received.count { $0.hasPrefix("G") } == 2)
      #expect(await board.board.sketch.received.count { $0 == "D" } == 1)
    }
  }

  @Test func `a board that goes away and comes back is greeted at once`() async throws {
    try await withSketch { house, board in
      try await house.startWithSketch()
      var seen = house.recorder.messages.count
      await board.cutPower()
      try await house.message(on: "greenhouse/availability", from: seen) { $0.text == "offline" }
      try await house.publish("PRESS", to: "greenhouse/water/set")
      #expect(["away", "busy", "link_error"].contains(try await house.failure(from: seen).reason))
      seen = house.recorder.messages.count
      await board.returnPower()
      try await house.message(on: "greenhouse/availability", from: seen) { $0.text == "online" }
      #expect(await board.board.sketch.received.count { $0 == "D" } == 1)
      #expect(await board.board.sketch.obeyed.isEmpty)
    }
  }

  @Test func `lost lines are made good`() async throws {
    try await withSketch { house, board in
      try await house.startWithSketch()
      await board.board.change { $0.valuesToLose = 1 }
      let seen = house.recorder.messages.count
      await board.board.change { $0.set("temperature", "5") }
      // The next ping, after 15 s without a word of the bridge, finds it out.
      try await house.message(on: "greenhouse", from: seen) { $0.state("temperature") == 5 }
      #expect(await board.board.sketch.received.contains("R"))
    }
  }

  @Test func `the bridge says goodbye when it stops`() async throws {
    try await withSketch { house, board in
      try await house.startWithSketch()
      try await house.bridge.terminate()
      try await board.board.wait { $0.sketch.received.last == "B" }
    }
  }

  @Test func `its entities survive a restart of the bridge while it is away`() async throws {
    try await withSketch { house, board in
      try await house.startWithSketch()
      try await house.message(on: "greenhouse") { $0.state("wind") == "calm" }
      try await house.bridge.terminate()
      await board.cutPower()
      var seen = house.recorder.messages.count
      try house.start()
      try await house.message(on: "bridge/main/state", from: seen) { $0.text == "online" }
      try await house.message(on: "greenhouse", from: seen) { $0.state("wind") == .unknown }
      let announcement = try await house.retained()["homeassistant/device/sketch2mqtt_main_greenhouse/config"]
      #expect(announcement?.components.contains("wind") == true)
      seen = house.recorder.messages.count
      await board.returnPower()
      try await house.message(on: "greenhouse/availability", from: seen) { $0.text == "online" }
      #expect(await board.board.sketch.received.count { $0 == "D" } == 1)
    }
  }

  @Test func `one that says nothing is asked, and nothing else is written to it`() async throws {
    try await withSketch(
      SelfDescribingSketch("Quiet", isQuiet: true, [SketchEntity("w", "lamp", "Lamp")])
    ) { house, board in
      try await house.startWithSketch()
      #expect(await board.board.sketch.received.prefix(3) == ["W", "D", "G\(board.board.sketch.token)"])
    }
  }

  @Test func `with ask: false nothing is written to a board that has not said who it is`() async throws {
    try await withSketch(
      SelfDescribingSketch("Quiet", isQuiet: true, [SketchEntity("w", "lamp", "Lamp")]),
      extra: ", options: { ask: false }"
    ) { house, board in
      try house.start()
      try await house.message(on: "bridge/main/state") { $0.text == "online" }
      try await board.board.wait { $0.links == 1 }
      try await house.publish("ON", to: "greenhouse/lamp/set")
      let failure = try await house.failure()
      #expect(failure.reason == "timeout" || failure.reason == "unknown_property")
      #expect(await board.board.receivedBytes.isEmpty)
    }
  }
}
