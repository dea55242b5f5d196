import DeviceModel
import Glibc

extension Rover {
  mutating func take(_ reading: RoverDecoder.Tilt, at now: Duration, into outputs: inout [Output]) {
    let across = Double(reading.across) / 100
    let along = Double(reading.along) / 100
    if tipping.take(max(abs(across), abs(along))), let isTipping = tipping.isOn {
      if isTipping, stopsOnTipping, throttle > 0 { stop(because: .tipping, into: &outputs) }
      outputs.append(.report(RoverProperty.tipping, .boolean(isTipping)))
    }
    switch tilt.take([across, along], at: now) {
    case .report: reportTilt(into: &outputs)
    case .wait(let time): outputs.append(.setTimer(Timer.tilt, after: time))
    case .nothing: break
    }
  }

  func reportTilt(into outputs: inout [Output]) {
    guard let values = tilt.values, values.count == 2 else { return }
    outputs.append(.report(RoverProperty.tiltX, .number(values[0])))
    outputs.append(.report(RoverProperty.tiltY, .number(values[1])))
    outputs.append(.report(RoverProperty.pitch, .number(Self.angle(values[1]))))
    outputs.append(.report(RoverProperty.roll, .number(Self.angle(values[0]))))
  }

  /// In tenths of a degree; `acceleration` in m/s², more than gravity counting as gravity.
  private static func angle(_ acceleration: Double) -> Double {
    (PhoneAttitude.degrees(asin(min(max(acceleration / 9.81, -1), 1))) * 10).rounded() / 10
  }

  // MARK: settings

  mutating func setNeutral(_ attitude: PhoneAttitude, into outputs: inout [Output]) {
    neutral = attitude
    keepSettings(into: &outputs)
  }

  func reportSettings(into outputs: inout [Output]) {
    outputs.append(.report(RoverProperty.stopOnTipping, .boolean(stopsOnTipping)))
    outputs.append(.report(RoverProperty.speedProfile, .text(profile.rawValue)))
  }

  func keepSettings(into outputs: inout [Output]) {
    var members = Value.Members([
      ("stop_on_tipping", .boolean(stopsOnTipping)), ("speed_profile", .text(profile.rawValue)),
    ])
    if neutral != settings.neutral {
      members["neutral"] = ["pitch": .number(neutral.pitch), "roll": .number(neutral.roll)]
    }
    outputs.append(.remember(.object(members)))
    reportSettings(into: &outputs)
  }

  /// What does not make sense is as if it had not been kept.
  mutating func restore(_ value: Value, into outputs: inout [Output]) {
    if case .object(let members) = value {
      if case .boolean(let isOn)? = members["stop_on_tipping"] { stopsOnTipping = isOn }
      if case .text(let word)? = members["speed_profile"], let profile = SpeedProfile(rawValue: word) {
        self.profile = profile
      }
      if case .object(let angles)? = members["neutral"], let kept = try? PhoneAttitude(angles) {
        neutral = kept
      }
    }
    reportSettings(into: &outputs)
  }
}
