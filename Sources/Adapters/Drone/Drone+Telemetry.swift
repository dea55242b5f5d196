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
    // Packets overtake each other; a drone that was switched on anew counts from the beginning.
    if let last = telemetrySequence, telemetry.sequence <= last, last - telemetry.sequence < 100 { return }
    telemetrySequence = telemetry.sequence
    outputs.append(.alive)
    if telemetry.state.contains(.commandAccepted) { send([.acknowledge], into: &outputs) }
    guard let demo = telemetry.demo else { return }
    let isFirst = heard == nil
    heard = (telemetry, demo, now)
    hasToldTelemetryLost = false
    if isFirst { adopt(at: now) }
    follow(demo, telemetry.state, at: now, into: &outputs)
    reportActivity(into: &outputs)
    report(demo, at: now, into: &outputs)
  }

  /// A drone that is in the air when the bridge comes goes on hovering until somebody steers it, or lands.
  private mutating func adopt(at now: Duration) {
    guard isInTheAir, heard?.demo.control != .landing else { return }
    isToFly = true
    hasFlown = true
    adoptedAt = now
  }

  /// What the drone did by itself, or because it was told to.
  private mutating func follow(
    _ demo: DroneTelemetry.Demo, _ state: DroneTelemetry.State, at now: Duration, into outputs: inout [Output]
  ) {
    let isEmergency = state.contains(.emergency)
    if let press, press.isEmergency == isEmergency { self.press = nil }
    if isEmergency {
      if activity != .emergency, activity != nil {
        outputs.append(.event(DroneProperty.Event.emergency, [:]))
      }
      isToFly = false
      hasFlown = false
    }
    if demo.control == .takingOff || demo.control == .flying {
      hasFlown = isToFly || hasFlown
      order = nil
    }
    if demo.control == .landed {
      if isToFly, hasFlown { isToFly = false }
      if !isToFly {
        hasFlown = false
        if navigator.target != nil {
          navigator.head(for: nil)
          outputs.append(.report(DroneProperty.target, .unknown))
        }
        rest()
      }
    }
    let isLow = demo.battery < UInt32(settings.landingBattery) || state.contains(.batteryLow)
    if isLow, !hasToldBatteryLow {
      hasToldBatteryLow = true
      outputs.append(
        .event(DroneProperty.Event.batteryLow, ["battery": .integer(Int(clamping: demo.battery))]))
    }
    if !isLow { hasToldBatteryLow = false }
    if isLow { goDown("the battery is low", into: &outputs) }
  }

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
