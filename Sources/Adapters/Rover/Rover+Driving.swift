import DeviceModel

extension Rover {
  /// Why a rover stops that its driver has not stopped.
  enum StopReason: String, Hashable, Sendable {
    case attitudeCeased = "attitude_ceased"
    case noCommand = "no_command"
    case driverOffline = "driver_offline"
    case brokerLost = "broker_lost"
    case bridgeStops = "bridge_stops"
    case boardSilent = "board_silent"
    case tipping
    case obstacle
  }

  /// Whatever it is doing; an event tells it when it was driving.
  mutating func stop(because reason: StopReason, into outputs: inout [Output]) {
    guard isUp else { return }
    let wasDriving = throttle > 0
    halt(into: &outputs)
    if wasDriving {
      outputs.append(.event(RoverProperty.stoppedEvent, ["reason": .text(reason.rawValue)]))
    }
  }

  /// Throttle 0 leaves before all that waits, which is forgotten.
  mutating func halt(into outputs: inout [Output]) {
    throttle = 0
    drive.stop(isCertain: group == nil)
    group = nil
    isBehind = false
    waiting = []
    sends += 1
    stopSend = sends
    outputs.append(.send(.init(RoverDrive.stopCommand, policy: .overtaking, number: sends)))
    pace = Pace(settings.interval)
    way = nil
    stream.suspend()
    goesOn()
    for timer in [Timer.deadMan, Timer.pace, Timer.stopAgain] { outputs.append(.cancelTimer(timer)) }
    reportDrive(into: &outputs)
  }

  /// Tells the board what it does not know yet, or leaves it for when what is on its way has left and some time has
  /// passed: of what comes until then only the newest counts.
  mutating func move(at now: Duration, for order: Order? = nil, into outputs: inout [Output]) {
    isBehind = true
    if let order {
      waiting.removeAll { $0.property == order.property }
      waiting.append(order)
    }
    guard group == nil else { return }
    guard pace.permits(at: now) else {
      return outputs.append(.setTimer(Timer.pace, after: pace.rest(at: now)))
    }
    isBehind = false
    let packets = drive.catchUp()
    let orders = waiting
    waiting = []
    guard !packets.isEmpty else { return }
    // The system takes packets faster than the radio sends them, and a stop would come behind those.
    pace.extend(by: settings.interval * (packets.count - 1))
    let first = sends + 1
    for packet in packets {
      sends += 1
      outputs.append(.send(.init(packet, number: sends)))
    }
    group = Group(sends: first...sends, orders: orders)
  }

  mutating func sent(_ number: UInt64, at now: Duration, into outputs: inout [Output]) {
    guard isUp else { return }
    if number == stopSend { stopSend = nil }
    if let group, group.sends.upperBound == number {
      self.group = nil
      if isBehind { move(at: now, into: &outputs) }
    }
    finishIfDone(into: &outputs)
  }

  /// What the board does is not sure any more when a part of what it was told is lost: it is stopped, again and again
  /// until that has left.
  mutating func notSent(_ number: UInt64, _ rejection: Rejection, into outputs: inout [Output]) {
    guard isUp else { return }
    if let group, group.sends.contains(number) {
      rejectAll(rejection, into: &outputs)
      drive.lose()
      halt(into: &outputs)
    } else if number == stopSend {
      stopSend = nil
      drive.lose()
      if throttle == 0 { outputs.append(.setTimer(Timer.stopAgain, after: Timing.stopAgain)) }
    }
  }

  /// What is on its way has failed, and what waits behind it is not sent.
  mutating func rejectAll(_ rejection: Rejection, into outputs: inout [Output]) {
    for order in (group?.orders ?? []) + waiting {
      outputs.append(.reject(order.batch, order.property, rejection))
    }
    group = nil
    waiting = []
  }

  func reportDrive(into outputs: inout [Output]) {
    outputs.append(.report(RoverProperty.direction, .text(drive.direction.rawValue)))
    outputs.append(.report(RoverProperty.throttle, .integer(throttle)))
    outputs.append(.report(RoverProperty.steering, .integer(drive.steering)))
  }
}
