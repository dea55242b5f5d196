import DeviceModel
import Simulation
import TestSupport

@testable import Adapters

/// The adapter and a simulated drone in one loop, with time of their own: packets go to and fro, some are lost.
struct DroneFlight {
  private static let home = DroneNavigator.Place(latitude: 52.5, longitude: 13.4)
  private static let step = 0.02

  var drone: DroneFirmware
  var talk: Conversation
  private(set) var events: [String] = []
  /// The `reason` of each event that has one.
  private(set) var why: [String] = []
  private(set) var rejections: [Rejection.Reason] = []
  /// Packets of either way that do not arrive, 0 … 1.
  var loss = 0.0
  /// So many of the next packets to the drone do not arrive.
  var lostNext = 0
  /// The position is told every half second, this exactly, while it is true.
  var tellsPosition = true
  var accuracy = 3.0
  var telemetryIsLost = false
  /// Every other packet, of either way, arrives behind the one that was sent after it.
  var overtakes = false
  private var lateTelemetry: [UInt8]?
  private var lateCommands: [UInt8]?
  private var random: SeededRandom
  private var untilPosition = 0.0
  private var batches: UInt64 = 0
  /// What the drone was told, and when, s.
  private(set) var elapsed = 0.0

  init(
    _ settings: DroneSettings = DroneSettings(), seed: UInt64 = 1, drone: DroneFirmware = DroneFirmware(),
    losing lostNext: Int = 0
  ) {
    self.drone = drone
    self.lostNext = lostNext
    talk = Conversation(Drone(settings))
    random = SeededRandom(seed)
    _ = feed(.broker(isConnected: true))
    _ = feed(.linkUp(.board, maximumPacket: 65_507))
    _ = feed(.linkUp(Drone.telemetry, maximumPacket: 65_507))
  }

  var activity: String? { talk.state["activity"]?.asText }

  @discardableResult
  mutating func feed(_ input: Input) -> [Output] {
    let new = talk.feed(input)
    carry(new)
    return new
  }

  /// Presses a button or sets something; the rejections of it.
  @discardableResult
  mutating func command(_ property: PropertyKey, _ value: Value = .unknown) -> [Rejection.Reason] {
    batches += 1
    return feed(.commands(CommandBatch(number: batches, [Command(property, value)]))).reasons
  }

  mutating func head(north: Double, east: Double) -> [Rejection.Reason] {
    let place = Self.place(north: north, east: east)
    return command("target", ["latitude": .number(place.latitude), "longitude": .number(place.longitude)])
  }

  /// Lets time pass, at most until `condition` holds; whether it came to hold.
  @discardableResult
  mutating func pass(_ seconds: Double, until condition: (DroneFlight) -> Bool = { _ in false }) -> Bool {
    var rest = seconds
    while rest > 0 {
      if condition(self) { return true }
      rest -= Self.step
      elapsed += Self.step
      for packet in drone.pass(Self.step) where !telemetryIsLost && arrives() {
        for packet in inOrderOfArrival(packet, &lateTelemetry) {
          carry(talk.feed(.received(Drone.telemetry, packet)))
        }
      }
      untilPosition -= Self.step
      if tellsPosition, untilPosition <= 0 {
        untilPosition = 0.5
        tellPosition()
      }
      carry(talk.pass(.milliseconds(20)))
    }
    return condition(self)
  }

  /// Metres from the drone to there.
  func distance(north: Double, east: Double) -> Double {
    let (dn, de) = (drone.body.north - north, drone.body.east - east)
    return (dn * dn + de * de).squareRoot()
  }

  private mutating func tellPosition() {
    let place = Self.place(north: drone.body.north, east: drone.body.east)
    command(
      "location",
      [
        "latitude": .number(place.latitude), "longitude": .number(place.longitude),
        "heading": .number(drone.body.heading), "accuracy": .number(accuracy),
      ])
  }

  private mutating func carry(_ new: [Output]) {
    for case .event(let type, let facts) in new {
      events.append(type)
      if let reason = facts["reason"]?.asText { why.append(reason) }
    }
    rejections += new.reasons
    for case .send(let send) in new where arrives() {
      guard lostNext == 0 else {
        lostNext -= 1
        continue
      }
      if send.role == Drone.telemetry {
        drone.ask()
      } else {
        for packet in inOrderOfArrival(send.bytes, &lateCommands) { drone.receive(packet) }
      }
    }
  }

  private func inOrderOfArrival(_ packet: [UInt8], _ late: inout [UInt8]?) -> [[UInt8]] {
    guard overtakes else { return [packet] }
    guard let before = late else {
      late = packet
      return []
    }
    late = nil
    return [packet, before]
  }

  private mutating func arrives() -> Bool { loss == 0 || Double.random(in: 0..<1, using: &random) >= loss }

  /// The members of a place.
  static func location(north: Double, east: Double) -> Value.Members {
    let place = place(north: north, east: east)
    return ["latitude": .number(place.latitude), "longitude": .number(place.longitude)]
  }

  private static func place(north: Double, east: Double) -> DroneNavigator.Place {
    // The length of a degree of latitude, and at 52.5° of one of longitude.
    DroneNavigator.Place(
      latitude: home.latitude + north / 111_195, longitude: home.longitude + east / (111_195 * 0.608_761))
  }
}
