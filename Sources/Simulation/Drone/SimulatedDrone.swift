public import EventLoop
import Glibc

/// An AR.Drone on two UDP ports of 127.0.0.1, in real time: the firmware, the air around it, and packets that are
/// lost on demand.
///
/// Everything about it can be seen and changed while it runs. It needs ``stop()``.
@Loop public final class SimulatedDrone: Awaitable {
  public nonisolated let commandPort: UInt16
  public nonisolated let telemetryPort: UInt16
  public private(set) var firmware = DroneFirmware()
  /// Share of the packets of either way that do not arrive, 0 … 1.
  public var loss = 0.0
  /// Telemetry does not leave.
  public var isMute = false
  /// Called after each step of time.
  public var onStep: (@Loop (SimulatedDrone) -> Void)?
  /// Its battery is in it, and its radio is heard.
  public private(set) var isPowered = true

  /// Where north and east are 0, degrees.
  public nonisolated let home: (latitude: Double, longitude: Double)

  private var commands: DatagramSocket?
  private var telemetry: DatagramSocket?
  private var timer: LoopTimer?
  private var steppedAt = MonotonicTime.now
  private var random: LossSequence
  public let waits = Waits()
  private var phones: [AsyncStream<String>.Continuation] = []
  private var steps = 0

  private static let step = Duration.milliseconds(20)
  /// A machine that had no time for it makes its time go slower.
  private static let longestStep = Duration.milliseconds(100)

  /// Opens two free ports.
  public init(
    home: (latitude: Double, longitude: Double) = (52.5, 13.4), seed: UInt64 = 1
  ) throws(SocketFailure) {
    self.home = home
    random = LossSequence(seed: seed)
    let door = Door()
    let commands = try DatagramSocket(port: 0) { door.drone?.receive($0) }
    commandPort = commands.port
    let telemetry: DatagramSocket
    do throws(SocketFailure) {
      telemetry = try DatagramSocket(port: 0) { _ in door.drone?.ask() }
    } catch {
      commands.stop()
      throw error
    }
    telemetryPort = telemetry.port
    self.commands = commands
    self.telemetry = telemetry
    door.drone = self
    schedule()
  }

  /// The sockets' handlers are made before `self` may be used in them.
  private final class Door { weak var drone: SimulatedDrone? }

  /// Closes the ports and ends all waits. The drone stays as it is.
  public func stop() {
    timer?.cancel()
    timer = nil
    commands?.stop()
    telemetry?.stop()
    (commands, telemetry) = (nil, nil)
    waits.end()
    for phone in phones { phone.finish() }
    phones = []
  }

  // MARK: The world

  public var body: DroneBody {
    get { firmware.body }
    set { firmware.body = newValue }
  }

  /// Metres a second, where the air goes.
  public func blow(north: Double, east: Double) {
    (body.windNorth, body.windEast) = (north, east)
  }

  /// The battery is taken out; a drone in the air falls.
  public func cutPower() {
    isPowered = false
    body.cutMotors()
  }

  /// It starts anew, as after its switch.
  public func returnPower() {
    guard !isPowered else { return }
    isPowered = true
    let body = self.body
    firmware = DroneFirmware()
    firmware.body = body
  }

  /// Metres from the drone to there.
  public func distance(north: Double, east: Double) -> Double {
    let (dn, de) = (body.north - north, body.east - east)
    return (dn * dn + de * de).squareRoot()
  }

  /// Degrees, of what is so many metres north and east of home.
  public nonisolated func place(north: Double, east: Double) -> (latitude: Double, longitude: Double) {
    let perDegree = 111_195.0
    return (
      home.latitude + north / perDegree,
      home.longitude + east / (perDegree * cos(home.latitude * .pi / 180))
    )
  }

  /// What a phone on board would tell, as JSON.
  public var location: String {
    let place = place(north: body.north, east: body.east)
    return """
      {"latitude":\(place.latitude),"longitude":\(place.longitude),"heading":\(body.heading),"accuracy":3}
      """
  }

  /// What a phone on board tells, five times a second, as long as somebody listens.
  public var locations: AsyncStream<String> {
    let (stream, continuation) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingNewest(1))
    phones.append(continuation)
    return stream
  }

  // MARK: Packets

  private func receive(_ packet: [UInt8]) {
    if isPowered, arrives() { firmware.receive(packet) }
  }

  private func ask() {
    if isPowered, arrives() { firmware.ask() }
  }

  private func arrives() -> Bool { loss <= 0 || random.next() >= loss }

  // MARK: Time

  private func schedule() {
    timer = LoopTimer(after: Self.step) { [weak self] in
      guard let self else { return }
      pass()
      schedule()
    }
  }

  private func pass() {
    // What has come meanwhile was not silence.
    commands?.read()
    telemetry?.read()
    let now = MonotonicTime.now
    let elapsed = min(steppedAt.duration(to: now), Self.longestStep)
    steppedAt = now
    if isPowered {
      for packet in firmware.pass(elapsed / .seconds(1)) where !isMute && arrives() {
        telemetry?.send(packet)
      }
    } else {
      body.pass(elapsed / .seconds(1), steering: nil)
    }
    onStep?(self)
    steps += 1
    if steps.isMultiple(of: 10) {
      phones.removeAll { if case .terminated = $0.yield(location) { true } else { false } }
    }
    waits.look()
  }

  public var summary: String { "\(body)" }
}

/// Numbers from 0 to 1 that come the same each time (SplitMix64).
private struct LossSequence {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> Double {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return Double((mixed ^ mixed >> 31) >> 11) / Double(1 << 53)
  }
}
