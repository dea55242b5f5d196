import DeviceModel

/// What happens though nobody asked for it.
extension Drone {
  /// Everything that ends by itself when it has lasted too long.
  mutating func watch(at now: Duration, into outputs: inout [Output]) {
    watchOrders(at: now, into: &outputs)
    let silentSince = heard?.at ?? linkUpAt
    let silence = now - silentSince
    if silence > Timing.telemetry {
      askForTelemetry(into: &outputs)
      tellTelemetryLost(into: &outputs)
    }
    for (since, reason) in [
      (brokerLostAt, "the broker is lost"), (adoptedAt, "nobody steers it since the bridge started"),
      (silence > Timing.telemetry ? silentSince : nil, "its telemetry is lost"),
    ] {
      if let since, now - since >= settings.patience { goDown(reason, into: &outputs) }
    }
    // What may still be in the air is told to land for as long again before it is given up.
    if silence > (mayBeInTheAir ? settings.patience + settings.patience : Timing.silence) {
      outputs.append(.sessionFailed(.board, "no telemetry for \(silence.configurationText)"))
    }
  }

  private mutating func tellTelemetryLost(into outputs: inout [Output]) {
    guard heard != nil, mayBeInTheAir, !hasToldTelemetryLost else { return }
    hasToldTelemetryLost = true
    course = .hover(.noTarget)
    outputs += [
      .event(DroneProperty.Event.telemetryLost, [:]),
      .report(DroneProperty.altitude, .unknown), .report(DroneProperty.battery, .unknown),
    ]
    reportActivity(into: &outputs)
  }

  private mutating func watchOrders(at now: Duration, into outputs: inout [Output]) {
    if let order, now >= order.until {
      dropOrder(Rejection(.timeout, "the drone did not take off within 10s"), into: &outputs)
      if !isInTheAir { isToFly = false }
    }
    if let press, now >= press.order.until {
      self.press = nil
      outputs.append(
        .reject(
          press.order.batch, press.order.property,
          Rejection(.timeout, "the drone did not confirm it within 2s")))
    }
  }

  /// The take-off that is awaited will not be.
  mutating func dropOrder(_ rejection: Rejection, into outputs: inout [Output]) {
    guard let order else { return }
    self.order = nil
    outputs.append(.reject(order.batch, order.property, rejection))
  }

  mutating func brokerChanged(_ isConnected: Bool, at now: Duration, into outputs: inout [Output]) {
    guard !isConnected else { return brokerLostAt = nil }
    brokerLostAt = brokerLostAt ?? now
    course = .hover(.noTarget)
    if order != nil { goDown("the broker is lost", into: &outputs) }
    // The next beat may be too late.
    if isUp, isToFly || mayBeInTheAir { command(at: now, into: &outputs) }
    reportActivity(into: &outputs)
  }

  /// Lands though nobody asked for it.
  mutating func goDown(_ reason: String, into outputs: inout [Output]) {
    guard isToFly || mayBeInTheAir, !isToLand else { return }
    setDown(reason, into: &outputs)
    outputs.append(.event(DroneProperty.Event.landing, ["reason": .text(reason)]))
  }

  /// From now on it is told to land, until it stands.
  mutating func setDown(_ reason: String, into outputs: inout [Output]) {
    dropOrder(Rejection(.notNow, reason), into: &outputs)
    isToFly = false
    isToLand = true
    head(for: nil, into: &outputs)
  }

  /// At once several times, and then at the beat until it stands or the bridge is gone.
  mutating func leave(at now: Duration, into outputs: inout [Output]) {
    isLeaving = true
    guard isUp, isToFly || mayBeInTheAir else { return }
    setDown("the bridge stops", into: &outputs)
    for _ in 0..<5 { send([.reference(isFlying: false)], as: nil, into: &outputs) }
    beat(at: now, into: &outputs)
  }
}
