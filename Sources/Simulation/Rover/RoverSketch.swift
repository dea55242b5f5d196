/// The classic rover's program: two motors, an obstacle sensor, an accelerometer.
///
/// Its numbers have eight bits, and nothing limits them: a throttle below the steering that was fixed at a higher one
/// makes a wheel race.
public struct RoverSketch: Hashable, Sendable {
  public enum Direction: Hashable, Sendable { case forward, backward }

  /// What the wheels do.
  public struct Wheels: Hashable, Sendable {
    public var direction: Direction?
    /// 0…255.
    public var left: UInt8 = 0
    public var right: UInt8 = 0

    public init(_ direction: Direction? = nil, left: UInt8 = 0, right: UInt8 = 0) {
      self.direction = direction
      self.left = left
      self.right = right
    }

    public var isStanding: Bool { left == 0 && right == 0 }
  }

  public private(set) var wheels = Wheels()
  /// In front of an obstacle.
  public private(set) var isLightOn = false
  /// Packets that are no command, or a letter without its number.
  public private(set) var nonsense = 0
  private var speed: UInt8 = 0
  private var slowedLeft: UInt8 = 0
  private var slowedRight: UInt8 = 0

  public init() {}

  /// A packet from the central: its first byte counts and, for some, the number behind `=`.
  public mutating func take(_ packet: [UInt8]) {
    let number = Self.number(in: packet)
    switch packet.first {
    case UInt8(ascii: "F")?: wheels.direction = .forward
    case UInt8(ascii: "B")?: wheels.direction = .backward
    case UInt8(ascii: "T")?:
      speed = Self.scaled(number ?? 0)
      if speed == 0 {
        slowedLeft = 0
        slowedRight = 0
      }
    case UInt8(ascii: "R")?:
      slowedRight = share(number ?? 0)
      slowedLeft = 0
    case UInt8(ascii: "L")?:
      slowedLeft = share(number ?? 0)
      slowedRight = 0
    default:
      nonsense += 1
      return
    }
    if number == nil, packet.first != UInt8(ascii: "F"), packet.first != UInt8(ascii: "B") { nonsense += 1 }
    if let number, number > 100 { nonsense += 1 }
    // Whatever came sets the motors going, until the next turn of the loop looks ahead.
    wheels.left = speed &- slowedLeft
    wheels.right = speed &- slowedRight
  }

  /// One turn of the loop.
  public mutating func turn(isBlocked: Bool) {
    isLightOn = isBlocked
    if isBlocked {
      wheels.left = 0
      wheels.right = 0
    }
  }

  /// What it says: acceleration in m/s², across and along. Text of −10 and less is longer than its buffer.
  public static func tilt(across: Double, along: Double) -> [UInt8] {
    text(across) + [UInt8(ascii: ":")] + text(along)
  }

  private static func text(_ value: Double) -> [UInt8] {
    let hundredths = Int((value.magnitude * 100).rounded())
    let whole = "\(hundredths / 100)."
    let decimals = "\(hundredths / 10 % 10)\(hundredths % 10)"
    let text = Array(((value < 0 && hundredths > 0 ? "-" : "") + whole + decimals).utf8)
    return hundredths >= 1000 && value < 0 ? text.dropLast(2) + [0x00, 0xC3] : text
  }

  private static func number(in packet: [UInt8]) -> Int? {
    guard packet.count > 2, packet[1] == UInt8(ascii: "=") else { return nil }
    return Int(String(decoding: packet.dropFirst(2), as: UTF8.self))
  }

  private static func scaled(_ percent: Int) -> UInt8 { UInt8(truncatingIfNeeded: percent * 255 / 100) }

  private func share(_ percent: Int) -> UInt8 { UInt8(truncatingIfNeeded: Int(speed) * percent / 100) }
}
