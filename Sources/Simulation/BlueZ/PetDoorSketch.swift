/// The classic pet door's program, by turns of its loop.
///
/// Light above 700 with a hysteresis of 30 and 2…33 °C open the latch, anything else closes it; the manual lock
/// closes it whatever the sensors say.
public struct PetDoorSketch: Hashable, Sendable {
  public enum Overflow: Hashable, Sendable {
    /// The text of the temperature runs over what lies behind it in memory.
    case garbage
    /// It runs over what the board cannot live without.
    case reset
  }

  /// What becomes of −10 °C and colder, whose text is longer than its buffer.
  public var overflow = Overflow.garbage
  public private(set) var isManuallyLocked = false
  /// The latch's switch says that the door is usable.
  public private(set) var isLatchOpen = false
  private var isBright = false
  private var turns = 0

  public init() {}

  /// Said as soon as a central has connected.
  public var greeting: [UInt8] { Array((isManuallyLocked ? "m:1" : "m:0").utf8) }

  /// A packet from the central: only its first byte counts, and anything but `0` locks.
  public mutating func take(_ packet: [UInt8]) {
    guard let first = packet.first else { return }
    isManuallyLocked = first != UInt8(ascii: "0")
  }

  /// One turn of the loop; what it says, nil when the board starts anew instead.
  public mutating func turn(in environment: PetDoorEnvironment) -> [UInt8]? {
    let temperature = measuredTemperature(in: environment)
    let light = environment.light(at: turns)
    turns += 1
    if light > 730 { isBright = true } else if light < 670 { isBright = false }
    let shallOpen = !isManuallyLocked && isBright && temperature >= 2 && temperature <= 33
    if !environment.isLatchJammed { isLatchOpen = shallOpen }
    let state = "s:\(isLatchOpen ? 1 : 0);t:"
    guard temperature <= -10, temperature != Self.fault else {
      return Array((state + text(temperature)).utf8)
    }
    switch overflow {
    case .garbage:
      return Array((state + text(temperature)).utf8.dropLast(2)) + [0x03, 0xD8, 0xFF, UInt8(turns & 0xFF)]
    case .reset: return nil
    }
  }

  private static let fault = -127.0

  /// In steps of half a degree. The first value after power-up is the thermometer's own start value.
  private func measuredTemperature(in environment: PetDoorEnvironment) -> Double {
    if environment.isThermometerBroken { return Self.fault }
    if turns == 0 { return 85 }
    return (environment.temperature(at: turns) * 2).rounded(.down) / 2
  }

  /// Two decimals, of which the second is always 0.
  private func text(_ temperature: Double) -> String {
    let halves = Int((abs(temperature) * 2).rounded())
    return (temperature < 0 ? "-" : "") + "\(halves / 2)." + (halves.isMultiple(of: 2) ? "00" : "50")
  }
}
