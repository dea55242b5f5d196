import DeviceModel
import EventLoop
import JSON
import Simulation
import TestSupport
import Testing

/// Two greenhouses that announce themselves, and a classic pet door, on one radio.
@Loop private final class Neighbourhood {
  nonisolated let air: Air
  let first = SketchOnRadio(.greenhouse("Greenhouse", identity: nil))
  let second = SketchOnRadio(.greenhouse("Greenhouse", identity: nil), name: "UART")
  let door = PetDoorBoard()
  let doorRadio: SimulatedBoard

  nonisolated static let firstAddress = "C0:DE:00:00:00:07"
  nonisolated static let secondAddress = "C0:DE:00:00:00:08"

  init() async throws {
    air = try await Air()
    air.bluez.add(first, at: Self.firstAddress)
    let board = air.bluez.add(second, at: Self.secondAddress)
    board.advertisedServices = [SketchOnRadio.announcement]
    doorRadio = air.bluez.add(door, at: "C0:DE:00:00:00:01")
  }
}

private func withNeighbourhood(
  accept: String, _ body: (House, Neighbourhood) async throws -> Void
) async throws {
  #expect(LoopThread.started)
  let neighbourhood = try await Neighbourhood()
  try await withHouse(on: neighbourhood.air, top: ["accept: \(accept)"]) {
    try await body($0, neighbourhood)
  }
}

struct `Boards that nobody has configured` {
  private func event(
    _ type: String, in house: House, from seen: Int = 0,
    where matches: @escaping @Sendable (Value) -> Bool = { _ in true }
  ) async throws -> Value {
    try await house.message(on: "bridge/main/event", from: seen) { message in
      guard let event = try? message.json else { return false }
      return event["event_type"] == .text(type) && matches(event)
    }.json
  }

  @Test func `all that announce themselves are taken in, two of one name too, and no other is touched`()
    async throws
  {
    try await withNeighbourhood(accept: "all") { house, air in
      try house.start()
      let one = try await event("accepted", in: house)
      let other = try await event("accepted", in: house) { $0["device"] != one["device"] }
      let ids = [one, other].compactMap { $0["device"]?.text }
      #expect(ids.contains("greenhouse"))
      for id in ids {
        try await house.message(on: "\(id)/availability") { $0.text == "online" }
        try await house.message(on: id) { $0.state("wind") == "calm" }
      }
      let id = try #require(
        [one, other].first { $0["address"]?.text == Neighbourhood.secondAddress }?["device"]?.text)
      try await house.publish("ON", to: "\(id)/pump/set")
      try await air.second.board.wait { $0.sketch.obeyed == ["pump=1"] }
      #expect(await air.first.board.sketch.obeyed.isEmpty)
      #expect(await air.door.received.isEmpty)
      #expect(await air.doorRadio.connectCalls == 0)
    }
  }

  @Test func `one at a listed address is taken in, and the other is shown and accepted on request`()
    async throws
  {
    try await withNeighbourhood(accept: "[\"\(Neighbourhood.firstAddress)\"]") { house, air in
      try house.start()
      #expect(
        try await event("accepted", in: house)["address"] == .text(Neighbourhood.firstAddress))
      _ = try await event("discovered", in: house) { $0["address"] == .text(Neighbourhood.secondAddress) }
      let found = try await house.request("discovered")["data"]?.list ?? []
      #expect(found.map { $0["address"] } == [.text(Neighbourhood.secondAddress)])
      #expect(await air.second.board.links == 0)

      let answer = try await house.request("accept", "{\"device\":\"\(Neighbourhood.secondAddress)\"}")
      #expect(answer["status"] == "ok")
      let id = try #require(answer["data"]?["device"]?.text)
      try await house.message(on: "\(id)/availability") { $0.text == "online" }
      #expect(try await house.request("discovered")["data"] == [])
      let again = try await house.request("accept", "{\"device\":\"\(Neighbourhood.secondAddress)\"}")
      #expect(again["error"]?.text?.contains(id) == true)
    }
  }

  @Test func `without accept nothing is looked for, and a wrong request is told what is right`() async throws
  {
    try await withNeighbourhood(accept: "off") { house, air in
      try house.start()
      try await house.message(on: "bridge/main/state") { $0.text == "online" }
      for wrong in ["", "{}", #"{"device":5}"#, #"{"device":"nobody"}"#] {
        #expect(try await house.request("accept", wrong)["status"] == "error")
      }
      #expect(try await house.request("discovered")["data"] == [])
      #expect(await air.first.board.links == 0)
    }
  }

  @Test func `a listed serial port becomes a device under the board's own name, also after a restart`()
    async throws
  {
    #expect(LoopThread.started)
    let folder = try TemporaryDirectory()
    let path = folder("usb-Arduino_Uno-if00")
    let board = try await SketchOnSerial(.greenhouse("Glass house"), path: path)
    do {
      try await withHouse(House.Options(plugs: 0), configured: { $0.top = ["accept: [\"\(path)\"]"] }) {
        house in
        try house.start()
        try await house.message(on: "glass_house/availability") { $0.text == "online" }
        try await house.bridge.terminate()
        await board.unplug()
        var seen = house.recorder.messages.count
        try house.start()
        try await house.message(on: "bridge/main/state", from: seen) { $0.text == "online" }
        let announcement = try await house.retained()[
          "homeassistant/device/sketch2mqtt_main_glass_house/config"]
        #expect(announcement?.components.contains("wind") == true)
        seen = house.recorder.messages.count
        try await { @Loop in try board.plugIn() }()
        try await house.message(on: "glass_house/availability", from: seen) { $0.text == "online" }
      }
      await board.stop()
    } catch {
      await board.stop()
      throw error
    }
  }

  @Test func `nothing is written to what is at a listed place and says no hello`() async throws {
    #expect(LoopThread.started)
    let board = try await SketchOnTCP(
      SelfDescribingSketch("Quiet", isQuiet: true, [SketchEntity("w", "lamp", "Lamp")]))
    do {
      try await withHouse(
        House.Options(plugs: 0), configured: { $0.top = ["accept: [\"127.0.0.1:\(board.port)\"]"] }
      ) { house in
        try house.start()
        try await board.board.wait { $0.links == 1 }
        // Longer than a board that may be asked is given.
        try await Loop.sleep(for: .seconds(4))
        #expect(await board.board.receivedBytes.isEmpty)
        await board.board.change { $0.isQuiet = false }
        await board.cutPower()
        await board.returnPower()
        try await house.message(on: "quiet/availability") { $0.text == "online" }
      }
      await board.stop()
    } catch {
      await board.stop()
      throw error
    }
  }
}
