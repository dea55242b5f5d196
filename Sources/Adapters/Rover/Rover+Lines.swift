import DeviceModel

/// Newer boards tell their obstacle and its distance, and take in lines what the older form says in packets.
extension Rover: TranslatedLogic {
  static let obstacle: PropertyKey = "obstacle"
  static let distance: PropertyKey = "distance"

  static let additions = [
    Property(
      obstacle, name: "Obstacle", .binarySensor(deviceClass: "problem"), icon: "mdi:wall",
      summary: "Something is in its way; it has stopped."),
    Property(
      distance, name: "Distance",
      .sensor(.init(unit: "cm", deviceClass: "distance", stateClass: .measurement, precision: 0)),
      summary: "To what is ahead."),
  ]

  func command(for packet: [UInt8]) -> Command? {
    let text = String(decoding: packet, as: UTF8.self)
    if text == "F" || text == "B" {
      return Command(RoverProperty.direction, text == "F" ? "forward" : "backward")
    }
    if packet == RoverDrive.stopCommand { return Command(RoverProperty.stop, .unknown) }
    let parts = text.split(separator: "=")
    guard parts.count == 2, let number = Double(decimalText: parts[1]) else { return nil }
    switch parts[0] {
    case "T": return Command(RoverProperty.throttle, .number(number))
    case "R": return Command(RoverProperty.steering, .number(number))
    case "L": return Command(RoverProperty.steering, .number(number == 0 ? 0 : -number))
    default: return nil
    }
  }

  /// A stop is never refused; what would drive waits for lines.
  func mayRunTogether(_ batch: CommandBatch) -> Bool {
    batch.commands.contains { (try? RoverOrder($0, description))?.isStop == true }
  }

  mutating func take(_ key: PropertyKey, _ value: Value, at now: Moment, into outputs: inout [Output]) {
    guard isUp else { return }
    switch (key, value) {
    case (Self.obstacle, .boolean(true)): stop(because: .obstacle, into: &outputs)
    case (RoverProperty.tiltX, .number(let across)): lineTilt.across = Self.hundredths(across)
    case (RoverProperty.tiltY, .number(let along)): lineTilt.along = Self.hundredths(along)
    default: return
    }
    if key == RoverProperty.tiltX || key == RoverProperty.tiltY {
      take(lineTilt, at: now.uptime, into: &outputs)
    }
  }

  private static func hundredths(_ value: Double) -> Int {
    let most = Double(RoverDecoder.mostHundredths)
    return Int(min(max((value * 100).rounded(), -most), most))
  }
}
