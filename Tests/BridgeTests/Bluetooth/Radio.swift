import DeviceModel
import EventLoop
import JSON
import Simulation
import TestSupport
import Testing

/// A simulated BlueZ on a bus of its own with a pet door and a raw board behind it.
@Loop final class Radio {
  nonisolated static let doorAddress = "C0:DE:00:00:00:01"
  nonisolated static let boardAddress = "C0:DE:00:00:00:02"

  nonisolated let air: Air
  let door = PetDoorBoard()
  let board = RawUARTBoard(isEcho: false)
  let doorRadio: SimulatedBoard
  let boardRadio: SimulatedBoard

  init() async throws {
    air = try await Air()
    doorRadio = air.bluez.add(door, at: Self.doorAddress)
    boardRadio = air.bluez.add(board, at: Self.boardAddress)
  }

  var bluez: SimulatedBlueZ { air.bluez }
}

/// Runs a test in a house with a radio and plugs, by default one; the devices are `door`, `board` and `plug`.
func withRadio(
  _ options: House.Options = House.Options(),
  _ body: @escaping @Sendable (House, Radio) async throws -> Void
) async throws {
  #expect(LoopThread.started)
  let radio = try await Radio()
  try await withHouse(
    on: radio.air, options,
    devices: [
      "{ name: Door, kind: pet_door, link: { ble: \"\(Radio.doorAddress)\" } }",
      "{ name: Board, kind: uart, link: { ble: \"\(Radio.boardAddress)\" } }",
    ]
  ) { house in try await body(house, radio) }
}

extension House {
  /// The bridge and both boards on the radio are there.
  func radioSettled(from seen: Int = 0) async throws {
    try await message(on: "door/availability", from: seen) { $0.text == "online" }
    try await message(on: "board/availability", from: seen) { $0.text == "online" }
  }

  func startWithRadio() async throws {
    let seen = recorder.messages.count
    try start()
    try await settled(from: seen)
    try await radioSettled(from: seen)
  }
}

extension RecordedMessage {
  /// A member of a state's object; nil for what is no object or does not have it.
  func state(_ name: String) -> Value? { (try? JSON.parse(payload))?[name] }
}
