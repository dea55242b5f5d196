import EventLoop
import Foundation
import Simulation
import TestSupport
import Testing

/// All that the examples speak of: the broker with its users, a plug, a pet door, a board of the kind uart, a rover, a TV,
/// a remote control, a drone, and the bridge as a program of its own, which may do no more than
/// `examples/mosquitto/acl` says.
@Loop final class ExampleHouse {
  let broker: ExampleBroker
  let plug: SimulatedPowerPlug
  let door = PetDoorBoard()
  let weather = RawUARTBoard(name: "Weather")
  let rover = RoverBoard()
  let tv = TVBoard()
  let remote = NewerTVBoard()
  let garage = GarageBoard(
    GarageSketch(
      master: "90909", pins: ["48151"], closingInterval: .seconds(5), travelTime: .seconds(1)))
  let drone: SimulatedDrone
  let bridge: ChildProcess
  /// The owner's own client: all that the bridge says.
  let owner: MQTTRecorder

  /// A beacon.
  let keys: SimulatedBoard

  private static let uuid: [UInt8] = [
    0xE2, 0xC5, 0x6D, 0xB5, 0xDF, 0xFB, 0x48, 0xD2, 0xB0, 0x60, 0xD0, 0xF5, 0xA7, 0x10, 0x96, 0xE0,
  ]
  private let bus: PrivateBus
  private let bluez: SimulatedBlueZ
  private let directory: TestSupport.TemporaryDirectory

  private init() async throws {
    directory = try TestSupport.TemporaryDirectory()
    broker = try await ExampleBroker()
    var options = PlugSketchOptions.classic
    options.offCommand = .returnsToAutomatic
    options.checkInterval = .seconds(1)
    plug = try SimulatedPowerPlug(
      options: options, clock: SimulatedClock(startingAt: .seconds(Int(Date().timeIntervalSince1970))))
    drone = try SimulatedDrone()
    bus = try await PrivateBus.start()
    bluez = SimulatedBlueZ(busAddress: bus.address, timing: SimulatedBlueZTiming().faster(by: 10))
    bluez.add(door, at: "C0:DE:00:00:00:01")
    bluez.add(weather, at: "C0:DE:00:00:00:02")
    bluez.add(rover, at: "C0:DE:00:00:00:03")
    bluez.add(tv, at: "C0:DE:00:00:00:04")
    bluez.add(remote, at: "C0:DE:00:00:00:05")
    bluez.add(garage, at: "C0:DE:00:00:00:07")
    bluez.add(WeatherBoard(), at: "C0:DE:00:00:00:11")
    bluez.add(WeatherBoard(name: "Attic"), at: "C0:DE:00:00:00:12")
    keys = bluez.addIBeacon(at: "C0:DE:00:00:00:13", uuid: Self.uuid, major: 1, minor: 2)
    try await bluez.start()

    let password = try #require(broker.passwords["bridge"])
    let configuration = """
      mqtt: { server: mqtt://127.0.0.1:\(broker.port), username: bridge, password: \(password) }
      bluetooth: { bus: \(bus.address) }
      devices:
        - name: Garden plug
          kind: power_plug
          link: { tcp: 127.0.0.1:\(plug.port), session: polled, poll: 1s }
        - name: Pet door
          kind: pet_door
          link: { ble: C0:DE:00:00:00:01 }
        - name: Weather
          kind: uart
          link: { ble: C0:DE:00:00:00:02 }
          options: { framing: line }
        - name: Rover
          kind: rover
          link: { ble: C0:DE:00:00:00:03 }
        - name: TV
          kind: tv_volume
          link: { ble: C0:DE:00:00:00:04 }
        - name: Remote
          kind: tv_volume
          link: { ble: C0:DE:00:00:00:05 }
          options: { form: lines }
        - name: Garage
          kind: garage_door
          link: { ble: C0:DE:00:00:00:07 }
          options:
            persons: [{ name: Anna, pin: "48151" }]
            open_as: Anna
            master_pin: "90909"
            closing_interval: 5s
            travel_time: 1s
        - name: Attic
          kind: gatt
          link: { ble: C0:DE:00:00:00:12 }
          options:
            services: [battery]
            characteristics: [{ name: Lamp, characteristic: \(WeatherBoard.lamp), format: bit, writable: true }]
        - name: Drone
          kind: drone
          links:
            board: { udp: 127.0.0.1:\(drone.commandPort) }
            telemetry: { udp: 127.0.0.1:\(drone.telemetryPort) }
        - name: Keys
          kind: beacon
          options: { uuid: e2c56db5-dffb-48d2-b060-d0f5a71096e0, major: 1, minor: 2, silence: 2s }
      """
    owner = try await broker.client("owner")
    bridge = try ChildProcess(
      Program.sketch2mqtt, ["run", "--config", try directory.write(configuration, to: "config.yaml")],
      environment: ["STATE_DIRECTORY": directory.path])
    // The mosquitto clients' own files, which the examples tell their readers to make.
    let ownerPassword = try #require(broker.passwords["owner"])
    for client in ["mosquitto_pub", "mosquitto_sub"] {
      try directory.write("-p \(broker.port)\n-u owner\n-P \(ownerPassword)\n", to: client)
    }
  }

  /// Runs `body` when all boards are there, and stops everything after. Nothing that the bridge does is denied.
  static func with(_ body: @Loop (ExampleHouse) async throws -> Void) async throws {
    let house = try await ExampleHouse()
    do {
      for device in [
        "garden_plug", "pet_door", "weather", "rover", "tv", "remote", "garage", "attic", "keys", "drone",
      ] {
        try await house.owner.messages.first(within: .seconds(60)) {
          $0.topic == "sketch2mqtt/\(device)/availability" && $0.text == "online"
        }
      }
      try await house.message("remote") { $0.contains(#""code":"#) }
      try await house.message("garden_plug") { $0.contains(#""schedule":["#) }
      try await body(house)
      #expect(try await house.bridge.terminate() == .code(0))
      let denials = house.broker.denials.filter { $0.contains("sketch2mqtt-main-") }
      #expect(denials == [], "the bridge may do all that it needs")
    } catch {
      try await house.stop()
      throw error
    }
    try await house.stop()
  }

  private func stop() async throws {
    if bridge.isRunning { try await bridge.terminate() }
    owner.disconnect()
    door.powerOff()
    rover.powerOff()
    garage.powerOff()
    remote.stop()
    plug.stop()
    drone.stop()
    bluez.stop()
    await bus.stop()
    try await broker.stop()
  }

  /// A shell's, for one of the owner's programs.
  var environment: [String: String] {
    [
      "PATH": "\(Self.shellFolder.path):/usr/bin:/bin", "HOME": directory.path,
      "XDG_CONFIG_HOME": directory.path,
    ]
  }

  /// The owner's programs that run now, by their command lines.
  var running: [String] {
    let mark = Data("XDG_CONFIG_HOME=\(directory.path)\0".utf8)
    let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return processes.filter { Int($0) != nil }.compactMap { process in
      guard FileManager.default.contents(atPath: "/proc/\(process)/environ")?.range(of: mark) != nil,
        let words = FileManager.default.contents(atPath: "/proc/\(process)/cmdline")
      else { return nil }
      return words.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
    }
  }

  nonisolated static let shellFolder = Program.packageRoot.appending(path: "examples/shell")

  func shell(_ line: String) async throws -> ProgramResult {
    try await Program.run("/bin/sh", ["-c", line], environment: environment)
  }

  /// The first message on a topic below the base topic from now on, or from `count` messages on.
  @discardableResult
  func message(
    _ topic: String, from count: Int = 0,
    where condition: @escaping @Sendable (String) -> Bool = { _ in true }
  ) async throws -> String {
    try await owner.messages.first(from: count, within: .seconds(60)) {
      $0.topic == "sketch2mqtt/\(topic)" && condition($0.text)
    }.text
  }

  /// The weather board says a line, in packets as small as Bluetooth 4.0 has them.
  func say(_ line: String) {
    var rest = Array("\(line)\n".utf8)[...]
    while !rest.isEmpty {
      weather.say(Array(rest.prefix(20)))
      rest = rest.dropFirst(20)
    }
  }

  /// What the bridge refused so far.
  var refusals: [String] {
    owner.messages.all.filter { $0.topic == "sketch2mqtt/bridge/main/event" }.map(\.text)
  }
}
