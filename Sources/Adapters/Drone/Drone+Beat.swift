import DeviceModel

/// What the drone is told again and again; it forgets soon.
extension Drone {
  mutating func beat(at now: Duration, into outputs: inout [Output]) {
    guard isUp else { return }
    watch(at: now, into: &outputs)
    command(at: now, into: &outputs)
    let isUrgent = isInTheAir || isToFly || mayBeInTheAir || press != nil
    outputs.append(.setTimer(Timer.beat, after: isUrgent ? Timing.beatInTheAir : Timing.beatOnTheGround))
  }

  mutating func command(at now: Duration, into outputs: inout [Output]) {
    var commands: [DroneCommand] = []
    if let heard, isFresh(at: now) {
      if heard.telemetry.state.contains(.communicationLost), !isResting {
        restart()
        commands.append(.communicationWatchdog)
      }
    } else {
      commands += [.communicationWatchdog, .shortTelemetry]
    }
    if let reference = reference(at: now) { commands.append(reference) }
    if isToFly || isInTheAir && !isResting { commands.append(steering(at: now, into: &outputs)) }
    if !commands.isEmpty { send(commands, into: &outputs) }
  }

  /// Up or down; nil to leave it as it is.
  ///
  /// One in the air stays there without being told. So it is not told to fly but for a take-off that it is seen to
  /// await: one that fell, and was switched on anew in somebody's hands, must not rise. And a drone of which nothing
  /// is known yet may be in the air, and is not told to land unless that was wished.
  private func reference(at now: Duration) -> DroneCommand? {
    if press != nil { return .reference(isFlying: false, isEmergency: true) }
    if order != nil { return isFresh(at: now) ? .reference(isFlying: true) : nil }
    if isToFly || isResting { return nil }
    return isToLand || heard != nil ? .reference(isFlying: false) : nil
  }

  private mutating func steering(at now: Duration, into outputs: inout [Output]) -> DroneCommand {
    if steeredAt.map({ now - $0 >= Timing.steering }) ?? true {
      steeredAt = now
      steer(at: now, into: &outputs)
    }
    return switch course {
    case .hover: .hover
    case .go(let yaw, let forward): .progress(roll: 0, pitch: -Float(forward), gaz: 0, yaw: Float(yaw))
    }
  }

  private mutating func steer(at now: Duration, into outputs: inout [Output]) {
    let mayGo = brokerLostAt == nil && isFresh(at: now) && isToFly && heard?.demo.control == .flying
    course = mayGo ? navigator.course(at: now) : .hover(.noTarget)
    if course == .hover(.arrived), !hasToldArrival {
      hasToldArrival = true
      outputs.append(.event(DroneProperty.Event.arrived, [:]))
    }
    if case .hover(.tooFar(let metres)) = course { giveUpTarget(metres, into: &outputs) }
    tellPositionLost(at: now, into: &outputs)
    reportActivity(into: &outputs)
  }

  private mutating func giveUpTarget(_ metres: Double, into outputs: inout [Output]) {
    head(for: nil, into: &outputs)
    let facts: Value.Members = ["reason": .text(tooFar(metres)), "distance": .number(metres.rounded(.up))]
    outputs.append(.event(DroneProperty.Event.targetTooFar, facts))
  }

  private mutating func tellPositionLost(at now: Duration, into outputs: inout [Output]) {
    if case .hover(.noPosition(let why)) = course {
      if !hasToldPositionLost {
        outputs.append(.event(DroneProperty.Event.positionLost, ["reason": .text(why)]))
      }
      hasToldPositionLost = true
    } else if hasToldPositionLost, navigator.flaw(at: now) == nil {
      outputs.append(.event(DroneProperty.Event.positionFound, [:]))
      hasToldPositionLost = false
    }
  }

  var isInTheAir: Bool {
    switch heard?.demo.control {
    case .takingOff, .flying, .landing: true
    default: heard?.telemetry.state.contains(.flying) ?? false
    }
  }

  func isFresh(at now: Duration) -> Bool { heard.map { now - $0.at <= Timing.telemetry } ?? false }
}
