import DeviceModel
import EventLoop
import JSON
import Simulation
import Synchronization
import TestSupport
import Testing

/// A simulated drone, and the phone on board that tells where it is.
final class FlyingField: Sendable {
  let drone: SimulatedDrone
  private let phone: Mutex<Task<Void, Never>?> = Mutex(nil)

  init() async throws { drone = try await SimulatedDrone() }

  /// Tells the position on its topic, some times a second, until ``silence()``.
  func tell(by client: MQTTRecorder) async {
    await silence()
    let drone = drone
    let task = Task {
      for await location in await drone.locations {
        try? await client.publish(location, to: "sketch2mqtt/drone/location/set")
      }
    }
    phone.withLock { $0 = task }
  }

  /// From now on nobody tells the position.
  func silence() async {
    let task = phone.withLock { $0.exchange(with: nil) }
    task?.cancel()
    await task?.value
  }

  /// Waits until the drone is as `condition` says.
  func become(
    within limit: Duration = .patience, _ condition: @escaping @Loop @Sendable (SimulatedDrone) -> Bool,
    at location: Testing.SourceLocation = #_sourceLocation
  ) async {
    do {
      try await drone.wait(atMost: limit, until: condition)
    } catch {
      Issue.record(error, sourceLocation: location)
    }
  }

  func change(_ body: @Loop @Sendable (SimulatedDrone) -> Void) async { await body(drone) }

  func close() async {
    await silence()
    await drone.stop()
  }
}

extension Optional {
  fileprivate mutating func exchange(with new: Self) -> Self {
    defer { self = new }
    return self
  }
}

/// Runs a test in a house whose only device is `drone`, above a meadow.
func withFlyingField(
  options: String = "patience: 30s",
  _ body: @escaping @Sendable (House, FlyingField) async throws -> Void
) async throws {
  #expect(LoopThread.started)
  let field = try await FlyingField()
  try await closing({ await field.close() }) {
    try await withHouse(
      House.Options(plugs: 0),
      configured: { text in
        text.devices = [field.drone.device(options: options)]
      },
      { house in
        // Nothing may be asked of a client that has gone.
        try await closing({ await field.silence() }) { try await body(house, field) }
      })
  }
}

extension SimulatedDrone {
  /// Its entry in the configuration.
  nonisolated func device(options: String = "") -> String {
    """
    { name: Drone, kind: drone, options: { \(options) }, links: { \
    board: { udp: "127.0.0.1:\(commandPort)" }, telemetry: { udp: "127.0.0.1:\(telemetryPort)" } } }
    """
  }
}

extension House {
  func startWithDrone() async throws {
    let seen = recorder.messages.count
    try await start(awaiting: "drone")
    try await drone(from: seen, is: "landed")
  }

  /// Awaits a state of the drone.
  func drone(from seen: Int = 0, _ matches: @escaping @Sendable (RecordedMessage) -> Bool) async throws {
    try await message(on: "drone", from: seen, where: matches)
  }

  func drone(from seen: Int = 0, is activity: String) async throws {
    try await drone(from: seen) { $0.state("activity")?.text == activity }
  }

  func press(_ button: String) async throws { try await publish("PRESS", to: "drone/\(button)/set") }

  func droneEvent(_ type: String, from seen: Int = 0) async throws -> Value {
    try await message(on: "drone/event", from: seen) { $0.text.contains("\"event_type\":\"\(type)\"") }.json
  }

  func takeOff(_ field: FlyingField) async throws {
    let seen = recorder.messages.count
    try await press("take_off")
    try await drone(from: seen, is: "hovering")
    await field.become { $0.body.stage == .flying }
  }

  /// Sends it to what is so many metres north and east of home.
  func head(_ field: FlyingField, north: Double, east: Double) async throws {
    let place = field.drone.place(north: north, east: east)
    try await publish(
      #"{"latitude":\#(place.latitude),"longitude":\#(place.longitude)}"#, to: "drone/target/set")
  }
  /// Starts, takes off, and is on its way north. Returns the index from which on that was told.
  func flyNorth(_ metres: Double, _ field: FlyingField) async throws -> Int {
    try await startWithDrone()
    await field.tell(by: recorder)
    try await takeOff(field)
    let seen = recorder.messages.count
    try await head(field, north: metres, east: 0)
    try await drone(from: seen, is: "flying")
    return seen
  }
}
