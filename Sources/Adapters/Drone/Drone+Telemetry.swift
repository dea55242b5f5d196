import DeviceModel

extension Drone {
  mutating func receive(_ bytes: [UInt8], at now: Duration, into outputs: inout [Output]) {
    let telemetry: DroneTelemetry
    do throws(DroneTelemetry.DecodingError) {
      telemetry = try DroneTelemetry(decoding: bytes)
    } catch {
      outputs.append(.undecodable(bytes: bytes.count, "no telemetry: \(error)"))
      return
    }
    // Packets overtake each other; a drone that was switched on anew, and was silent, counts from the beginning.
    if let last = telemetrySequence, telemetry.sequence <= last, isFresh(at: now) { return }
    telemetrySequence = telemetry.sequence
    outputs.append(.alive)
    if telemetry.state.contains(.commandAccepted) {
      send([.acknowledge], as: "acknowledge", into: &outputs)
    }
    guard let demo = telemetry.demo else { return }
    let isFirst = heard == nil
    heard = (telemetry, demo, now)
    hasToldTelemetryLost = false
    if isFirst { adopt(at: now) }
    follow(demo, telemetry.state, into: &outputs)
    reportActivity(into: &outputs)
    report(demo, at: now, into: &outputs)
  }

  /// A drone that is in the air when the bridge comes goes on hovering until somebody steers it, or lands.
  private mutating func adopt(at now: Duration) {
    guard isInTheAir, !isToLand, heard?.demo.control != .landing else { return }
    isToFly = true
    hasFlown = true
    adoptedAt = now
  }

  /// What the drone did by itself, or because it was told to.
  private mutating func follow(
    _ demo: DroneTelemetry.Demo, _ state: DroneTelemetry.State, into outputs: inout [Output]
  ) {
    let isEmergency = state.contains(.emergency)
    if let press, press.isEmergency == isEmergency { self.press = nil }
    if isEmergency {
      if activity != .emergency, activity != nil {
        outputs.append(.event(DroneProperty.Event.emergency, [:]))
      }
      dropOrder(Rejection(.notNow, "the drone is in a state of emergency"), into: &outputs)
      isToFly = false
      hasFlown = false
    }
    switch demo.control {
    case .takingOff, .flying:
      hasFlown = isToFly || hasFlown
      mayBeInTheAir = mayBeInTheAir || !isResting
      order = nil
    case .landing:
      mayBeInTheAir = mayBeInTheAir || !isResting
      if hasFlown { goDown("it lands by itself", into: &outputs) }
    case .landed where !isInTheAir: stand(into: &outputs)
    case .landed, .other: break
    }
    watch(battery: demo.battery, isLow: state.contains(.batteryLow), into: &outputs)
  }

  /// It is on the ground.
  private mutating func stand(into outputs: inout [Output]) {
    if hasFlown { isToFly = false }
    guard !isToFly else { return }
    (hasFlown, isToLand, mayBeInTheAir) = (false, false, false)
    adoptedAt = nil
    hasToldPositionLost = false
    if navigator.target != nil { head(for: nil, into: &outputs) }
    if restsAfterLanding { isResting = true }
  }

  private mutating func watch(battery: UInt32, isLow: Bool, into outputs: inout [Output]) {
    if isLow || battery < UInt32(settings.landingBattery) {
      if !hasToldBatteryLow {
        outputs.append(.event(DroneProperty.Event.batteryLow, ["battery": .integer(Int(clamping: battery))]))
      }
      hasToldBatteryLow = true
      goDown("the battery is low", into: &outputs)
    } else if Int(clamping: battery) >= settings.landingBattery + Self.batteryHysteresis {
      hasToldBatteryLow = false
    }
  }

  /// Percent: what a battery seems to lose while the motors pull, and gains again.
  private static let batteryHysteresis = 5

  mutating func reportActivity(into outputs: inout [Output]) {
    guard let heard else { return }
    let new: DroneProperty.Activity =
      if heard.telemetry.state.contains(.emergency) {
        .emergency
      } else {
        switch heard.demo.control {
        case .takingOff: .takingOff
        case .landing: .landing
        case .flying: if case .go = course { .flying } else { .hovering }
        case .landed, .other: isInTheAir ? .hovering : .landed
        }
      }
    guard new != activity else { return }
    activity = new
    outputs.append(.report(DroneProperty.activity, .text(new.rawValue)))
  }

  private mutating func report(_ demo: DroneTelemetry.Demo, at now: Duration, into outputs: inout [Output]) {
    guard reports.permits(at: now) else { return }
    outputs.append(.report(DroneProperty.battery, .integer(min(100, Int(clamping: demo.battery)))))
    outputs.append(.report(DroneProperty.altitude, .number(demo.altitude.rounded(toPlaces: 1))))
    reportWay(into: &outputs)
  }

  /// Where the target is from here.
  func reportWay(into outputs: inout [Output]) {
    guard let way = navigator.way else {
      outputs += [.report(DroneProperty.distance, .unknown), .report(DroneProperty.bearing, .unknown)]
      return
    }
    outputs += [
      .report(DroneProperty.distance, .number(way.distance.rounded(toPlaces: 1))),
      .report(DroneProperty.bearing, .number(way.bearing.rounded().truncatingRemainder(dividingBy: 360))),
    ]
  }
}

extension Double {
  fileprivate func rounded(toPlaces places: Int) -> Double {
    let scale = (0..<places).reduce(1.0) { scale, _ in scale * 10 }
    return (self * scale).rounded() / scale
  }
}
