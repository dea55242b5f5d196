/// What an AR.Drone 2 makes of its commands and tells of itself, after its maker's developer guide.
///
/// A value without a clock or a socket: whoever owns it lets time pass and carries its packets.
public struct DroneFirmware: Sendable {
  public var body = DroneBody()
  /// The last number that it took: it passes over lower ones. A client begins anew with 1, and so does the drone when
  /// it has heard nobody for two seconds.
  public private(set) var lastSequence = 0
  /// Lines that it did not understand, or that came too late.
  public private(set) var ignored = 0
  /// The newest lines that it obeyed, in order, without their numbers: `REF 290718208`.
  public private(set) var obeyed: [String] = []
  /// All that it ever obeyed.
  public private(set) var obeyedCount = 0
  public private(set) var isInEmergency = false

  private var silence = 0.0
  private var isDeaf = false
  private var isHeld = false
  private var isPressed = false
  private var steering: DroneBody.Steering?
  private var sendsShortForm = false
  private var awaitsAcknowledgement = false
  private var telemetrySequence: UInt32 = 0
  private var untilTelemetry = 0.0
  /// Somebody asked for telemetry.
  private var isAsked = false

  /// Seconds: after the first without commands it stays where it is, after the second it obeys nobody.
  private static let steeringLasts = 0.25
  private static let watchdog = 2.0
  private static let telemetryInterval = 1.0 / 15
  private static let keptLines = 1000

  public init() {}

  /// Any packet to the port of telemetry.
  public mutating func ask() { isAsked = true }

  /// A packet to the port of commands: lines that end with a carriage return.
  public mutating func receive(_ packet: [UInt8]) {
    for line in packet.split(separator: 0x0D) { obey(String(decoding: line, as: UTF8.self)) }
  }

  private mutating func obey(_ line: String) {
    guard line.hasPrefix("AT*"), let equals = line.firstIndex(of: "=") else { return ignored += 1 }
    let name = String(line[line.index(line.startIndex, offsetBy: 3)..<equals])
    let arguments = line[line.index(after: equals)...].split(separator: ",", omittingEmptySubsequences: false)
    guard let first = arguments.first, let sequence = Int(first), sequence == 1 || sequence > lastSequence
    else { return ignored += 1 }
    lastSequence = sequence
    silence = 0
    if name == "COMWDG" { isDeaf = false }
    guard !isDeaf || name == "CONFIG" || name == "CTRL" else { return ignored += 1 }
    note("\(name) \(arguments.dropFirst().joined(separator: ","))")
    perform(name, arguments.dropFirst().map(String.init))
  }

  private mutating func note(_ line: String) {
    obeyedCount += 1
    if obeyed.count >= 2 * Self.keptLines { obeyed.removeFirst(Self.keptLines) }
    obeyed.append(line)
  }

  private mutating func perform(_ name: String, _ arguments: [String]) {
    switch name {
    case "REF":
      guard let bits = arguments.first.flatMap({ UInt32($0) }), bits & 0x1154_0000 == 0x1154_0000 else {
        return ignored += 1
      }
      press(bits & 1 << 8 != 0)
      if isInEmergency { return }
      if bits & 1 << 9 != 0 { body.takeOff() } else { body.land() }
    case "PCMD":
      let numbers = arguments.dropFirst().compactMap { Int32($0) }.map {
        Double(Float(bitPattern: UInt32(bitPattern: $0)))
      }
      guard numbers.count == 4, let mode = arguments.first.flatMap({ Int($0) }) else { return ignored += 1 }
      steering = mode & 1 == 1 ? .init(forward: -numbers[1], turn: numbers[3]) : nil
      isHeld = false
    case "CONFIG":
      guard arguments == ["\"general:navdata_demo\"", "\"TRUE\""] else { return ignored += 1 }
      sendsShortForm = true
      awaitsAcknowledgement = true
    case "CTRL": awaitsAcknowledgement = false
    case "COMWDG", "FTRIM": break
    default: ignored += 1
    }
  }

  /// The switch acts when it goes down.
  private mutating func press(_ isDown: Bool) {
    if isDown, !isPressed {
      isInEmergency.toggle()
      if isInEmergency { body.cutMotors() }
    }
    isPressed = isDown
  }

  /// - Returns: Packets of telemetry that are due in this time.
  public mutating func pass(_ seconds: Double) -> [[UInt8]] {
    silence += seconds
    if silence > Self.steeringLasts { isHeld = true }
    if silence > Self.watchdog {
      isDeaf = true
      lastSequence = 0
    }
    body.pass(seconds, steering: isHeld ? nil : steering)
    guard isAsked else { return [] }
    untilTelemetry -= seconds
    guard untilTelemetry <= 0 else { return [] }
    untilTelemetry += Self.telemetryInterval
    return [telemetry()]
  }

  private mutating func telemetry() -> [UInt8] {
    telemetrySequence += 1
    var packet: [UInt8] = []
    packet.append(little: 0x5566_7788)
    packet.append(little: state)
    packet.append(little: telemetrySequence)
    packet.append(little: 0)
    if sendsShortForm { appendDemo(to: &packet) }
    let sum = packet.reduce(0 as UInt32) { $0 &+ UInt32($1) }
    packet += [0xFF, 0xFF, 8, 0]
    packet.append(little: sum)
    return packet
  }

  private var state: UInt32 {
    let bits: [(Bool, UInt32)] = [
      (body.stage != .landed, 1 << 0), (awaitsAcknowledgement, 1 << 6), (sendsShortForm, 1 << 10),
      (!sendsShortForm, 1 << 11), (body.battery < 10, 1 << 15), (isDeaf, 1 << 30), (isInEmergency, 1 << 31),
    ]
    return bits.reduce(0) { $1.0 ? $0 | $1.1 : $0 }
  }

  private func appendDemo(to packet: inout [UInt8]) {
    let control: UInt32 =
      switch body.stage {
      case .landed, .falling: 2
      case .takingOff: 6
      case .flying: isHeld || steering == nil ? 4 : 3
      case .landing: 8
      }
    packet += [0, 0, 148, 0]
    packet.append(little: control << 16)
    packet.append(little: UInt32(body.battery))
    for degrees in [0, 0, body.heading > 180 ? body.heading - 360 : body.heading] {
      packet.append(little: Float(degrees * 1000).bitPattern)
    }
    packet.append(little: UInt32(bitPattern: Int32(body.altitude * 1000)))
    packet += Array(repeating: 0, count: 148 - 4 - 24)
  }
}

extension [UInt8] {
  fileprivate mutating func append(little number: UInt32) {
    for shift: UInt32 in [0, 8, 16, 24] { append(UInt8(truncatingIfNeeded: number >> shift)) }
  }
}
