import DeviceModel
import Glibc

/// How a phone is held, in degrees: flat with its screen up is pitch 0, upright is pitch 90, leaning towards its
/// holder more; roll is positive with its right side down.
///
/// Where it points to does not matter: only the direction of gravity does.
struct PhoneAttitude: Hashable, Sendable {
  var pitch: Double
  var roll: Double

  static let upright = PhoneAttitude(pitch: 90, roll: 0)

  init(pitch: Double, roll: Double) {
    self.pitch = pitch
    self.roll = roll
  }

  /// From a unit quaternion that turns the phone (x to its right, y to its top, z out of its screen) into a frame
  /// whose z points up.
  init(w: Double, x: Double, y: Double, z: Double) {
    let up = (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y))
    pitch = Self.degrees(atan2(up.1, up.2))
    roll = Self.degrees(asin(min(max(-up.0, -1), 1)))
  }

  static func degrees(_ radians: Double) -> Double { radians * 180 / .pi }

  /// `{w, x, y, z}` or `{pitch, roll}`; other members count for nothing.
  init(_ members: Value.Members) throws(Rejection) {
    if let w = try Self.number("w", members), let x = try Self.number("x", members),
      let y = try Self.number("y", members), let z = try Self.number("z", members)
    {
      let length = (w * w + x * x + y * y + z * z).squareRoot()
      guard (0.9...1.1).contains(length) else {
        throw Rejection(.invalid, "a quaternion has the length 1, not \(length.shortest)")
      }
      self.init(w: w / length, x: x / length, y: y / length, z: z / length)
    } else if let pitch = try Self.number("pitch", members), let roll = try Self.number("roll", members) {
      for (name, angle) in [("pitch", pitch), ("roll", roll)] where !(-180...180).contains(angle) {
        throw Rejection(.outOfRange, "\(name) is -180 to 180 degrees, not \(angle.shortest)")
      }
      self.init(pitch: pitch, roll: roll)
    } else {
      throw Rejection(.invalid, "an attitude is {w, x, y, z} or {pitch, roll}")
    }
  }

  private static func number(_ name: String, _ members: Value.Members) throws(Rejection) -> Double? {
    switch members[name] {
    case nil: return nil
    case .integer(let integer)?: return Double(integer)
    case .number(let number)? where number.isFinite: return number
    case let other?:
      throw Rejection(.invalid, "\(name) is a number, not \(other.briefly.excerpt)")
    }
  }
}

extension PhoneAttitude {
  /// Throttle and steering for a phone that is held like this.
  ///
  /// Leaning its top away from neutral drives, rolling it steers; leaning it back does nothing. So far from neutral
  /// that nobody holds it like that counts as laid down.
  func command(_ settings: RoverSettings, neutral: PhoneAttitude) -> (throttle: Int, steering: Int) {
    let ahead = Self.between(neutral.pitch - pitch)
    let aside = Self.between(roll - neutral.roll)
    guard abs(ahead) <= Self.laidDown, abs(aside) <= Self.laidDown else { return (0, 0) }
    let throttle = ahead > 0 ? Self.share(ahead, full: settings.fullPitch, deadZone: settings.deadZone) : 0
    let steering = Self.share(abs(aside), full: settings.fullRoll, deadZone: settings.deadZone)
    return (
      Int((throttle * Double(settings.throttleLimit)).rounded()),
      Int((steering * Double(settings.steeringLimit)).rounded()) * (aside < 0 ? -1 : 1)
    )
  }

  /// From the neutral position, in degrees.
  static let laidDown = 75.0

  private static func between(_ angle: Double) -> Double {
    let turned = angle.truncatingRemainder(dividingBy: 360)
    return turned > 180 ? turned - 360 : turned < -180 ? turned + 360 : turned
  }

  /// 0 at the edge of the dead zone, 1 at full scale.
  private static func share(_ angle: Double, full: Double, deadZone: Double) -> Double {
    min(max((angle - deadZone) / max(full - deadZone, 1), 0), 1)
  }
}
