import DeviceModel
import EventLoop
import Foundation
import JSON
import Simulation
import TestSupport
import Testing

/// A newer garage door on a network or a serial port: the same exchange as over the radio.
struct `The bridge with a garage door on a wire` {
  private func withGarage(
    on wire: WiredBoard.Wire = .tcp,
    _ body: @escaping @Sendable (House, NewerGarageBoard, WiredBoard) async throws -> Void
  ) async throws {
    #expect(LoopThread.started)
    let (door, wired) = try await { @Loop in
      let door = NewerGarageBoard(
        key: NewerGarageRadio.key, master: GarageRadio.master, pins: [GarageRadio.anna],
        closingInterval: .seconds(600), travelTime: .seconds(1))
      return (door, try WiredBoard(door.board, on: wire))
    }()
    let link = await wired.link
    do {
      try await withHouse(
        House.Options(plugs: 0),
        configured: {
          $0.devices = [
            """
            { name: Garage, kind: garage_door, link: { \(link) }, options: { \
            persons: [ { name: Anna, pin: \(GarageRadio.anna) } ], open_as: Anna, \
            master_pin: \(GarageRadio.master), key: "\(NewerGarageRadio.keyText)" } }
            """
          ]
        },
        { house in
          try await house.startWithGarage()
          // Nobody else wants a wire: it is held, and the door's state is there without a command.
          try await house.garage { $0.state("door") == "closed" }
          try await body(house, door, wired)
        })
      await wired.stop()
      await door.stop()
    } catch {
      await wired.stop()
      await door.stop()
      throw error
    }
  }

  @Test(arguments: WiredBoard.Wire.allCases)
  func `opens for the right answer, and no PIN is on the wire`(wire: WiredBoard.Wire) async throws {
    try await withGarage(on: wire) { house, door, wired in
      let seen = house.recorder.messages.count
      try await house.publish("OPEN", to: "garage/door/set")
      _ = try await house.garageEvent("opened", from: seen)
      try await house.garage(from: seen) { $0.state("door") == "open" }
      #expect(await door.pulses == 1)
      let added = try await house.request(
        "garage/pin/add", #"{"device":"garage","name":"Carl","pin":"05513"}"#)
      #expect(added["status"] == "ok")
      #expect(await door.pins == [1: GarageRadio.anna, 2: "05513"])
      let wire = String(decoding: await wired.board.receivedBytes, as: UTF8.self)
      for secret in [GarageRadio.anna, GarageRadio.master, "05513", NewerGarageRadio.keyText, "O=1"] {
        #expect(!wire.contains(secret))
      }
    }
  }

  /// The network takes what is sent, and hands it over when it likes.
  @Test(arguments: [false, true])
  func `what a network delivers late opens nothing once its challenge is over`(isOver: Bool) async throws {
    try await withGarage { house, door, wired in
      await { @Loop in wired.isStalled = true }()
      let seen = house.recorder.messages.count
      try await house.publish("OPEN", to: "garage/door/set")
      let failure = try await house.failure(from: seen)
      #expect(failure.reason == "link_error")
      #expect(await door.pulses == 0)
      if isOver { await door.renewChallenge() }
      await { @Loop in wired.isStalled = false }()
      if isOver {
        try await door.wait { $0.refusals > 0 }
        #expect(await door.refusals == 1)
        #expect(await door.pulses == 0)
      } else {
        try await door.wait { $0.pulses > 0 }
        try await house.garage(from: seen) { $0.state("door") == "opening" }
        let after = house.recorder.messages.count
        try await house.publish("OPEN", to: "garage/door/set")
        #expect(try await house.failure(from: after).reason == "not_now")
        #expect(await door.pulses == 1, "said three times, and obeyed once")
      }
    }
  }
}
