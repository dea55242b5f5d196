/// What the pet door's board says.
enum PetDoorMessage: Hashable, Sendable {
  /// `m:0`, `m:1`.
  case manualLock(isOn: Bool)
  /// `s:1;t:21.50`.
  case status(isOpen: Bool, PetDoorTemperature)
}

/// A reading of the DS18B20, in hundredths of a degree Celsius.
enum PetDoorTemperature: Hashable, Sendable {
  case known(hundredths: Int)
  /// The sensor's value after power-up (85.00) or of a fault (−127.00).
  case fault

  /// −55.00 to 125.00 are the sensor's; nil for what it cannot say.
  init?(hundredths: Int) {
    switch hundredths {
    case 8500, -12700: self = .fault
    case -5500...12500: self = .known(hundredths: hundredths)
    default: return nil
    }
  }
}
