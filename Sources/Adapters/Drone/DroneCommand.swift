/// One command of an AR.Drone, as its maker's developer guide 2.0 has them: a line of text that ends with a carriage
/// return, numbered from 1 by each who takes it over.
enum DroneCommand: Hashable, Sendable {
  /// Whether it is to be in the air; `isEmergency` pushes the emergency switch, which acts when it goes down.
  case reference(isFlying: Bool, isEmergency: Bool = false)
  /// Stay where it is.
  case hover
  /// Shares of the greatest tilt and speed, −1 … 1: negative pitch is forward, positive yaw turns clockwise.
  case progress(roll: Float, pitch: Float, gaz: Float, yaw: Float)
  /// It stands level now.
  case flatTrim
  /// Ends the state in which it obeys nobody because it has heard nobody.
  case communicationWatchdog
  /// The short form of telemetry.
  case shortTelemetry
  /// That a configuration was accepted has been seen.
  case acknowledge

  /// - Parameter sequence: From 1, one more with each command; the drone ignores one that is not higher than the last.
  func line(_ sequence: Int) -> [UInt8] { Array("AT*\(name)=\(sequence)\(arguments)\r".utf8) }

  private var name: String {
    switch self {
    case .reference: "REF"
    case .hover, .progress: "PCMD"
    case .flatTrim: "FTRIM"
    case .communicationWatchdog: "COMWDG"
    case .shortTelemetry: "CONFIG"
    case .acknowledge: "CTRL"
    }
  }

  private var arguments: String {
    switch self {
    case .reference(let isFlying, let isEmergency):
      ",\(Self.reference | (isFlying ? 1 << 9 : 0) | (isEmergency ? 1 << 8 : 0))"
    case .hover: ",0,0,0,0,0"
    case .progress(let roll, let pitch, let gaz, let yaw):
      ",1,\([roll, pitch, gaz, yaw].map { String(Self.bits(of: $0)) }.joined(separator: ","))"
    case .flatTrim, .communicationWatchdog: ""
    case .shortTelemetry: #","general:navdata_demo","TRUE""#
    case .acknowledge: ",5,0"
    }
  }

  /// The bits 18, 20, 22, 24 and 28, which are always set.
  private static let reference = 0x1154_0000

  /// The drone reads a number from the bits of a float, clamped to its range.
  private static func bits(of number: Float) -> Int32 {
    Int32(bitPattern: (number.isFinite ? max(-1, min(1, number)) : 0).bitPattern)
  }
}
