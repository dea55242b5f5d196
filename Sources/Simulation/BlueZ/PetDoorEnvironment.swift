/// What a pet door's sensors and latch meet.
public struct PetDoorEnvironment: Hashable, Sendable {
  /// As the photoresistor's input reads it, 0…1023; more is brighter.
  public var light = 900
  /// By how much successive readings lie above and below ``light``.
  public var lightNoise = 0
  public var temperatureCelsius = 20.0
  /// By how much successive readings lie above and below ``temperatureCelsius``.
  public var temperatureNoiseCelsius = 0.0
  /// The servo pulls, the latch stays where it is.
  public var isLatchJammed = false
  /// The thermometer does not answer.
  public var isThermometerBroken = false

  public init() {}

  /// The inputs at a turn of the board's loop.
  func light(at turn: Int) -> Int {
    min(max(light + (turn.isMultiple(of: 2) ? lightNoise : -lightNoise), 0), 1023)
  }

  func temperature(at turn: Int) -> Double {
    temperatureCelsius + (turn.isMultiple(of: 2) ? temperatureNoiseCelsius : -temperatureNoiseCelsius)
  }
}
