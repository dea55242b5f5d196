import DeviceModel

extension Rover {
  /// A batch is carried out whole or not at all; but a stop in it is always obeyed.
  mutating func accept(_ batch: CommandBatch, at now: Duration, into outputs: inout [Output]) {
    guard isUp else {
      return outputs.append(.reject(batch.number, nil, Rejection(.away, "the board is not connected")))
    }
    var orders: [RoverOrder] = []
    var failure: (property: PropertyKey?, rejection: Rejection)?
    for command in batch.commands {
      do throws(Rejection) {
        orders.append(try RoverOrder(command, description))
      } catch {
        failure = failure ?? (command.property, error)
      }
    }
    if let stop = orders.first(where: \.isStop) {
      if case .driver = stop {
        self.stop(because: .driverOffline, into: &outputs)
      } else {
        halt(into: &outputs)
      }
    }
    let ways = Set(orders.filter { !$0.isStop }.compactMap(\.way))
    if ways.count > 1 {
      failure = failure ?? (nil, Rejection(.invalid, "one way of driving at a time"))
    } else if orders.contains(where: \.isStop), orders.contains(where: \.drives) {
      failure = failure ?? (nil, Rejection(.invalid, "to stop and to drive contradict each other: stopped"))
    }
    if orders.contains(.neutral), stream.last == nil {
      let rejection = Rejection(.notNow, "no attitude has come yet that could be the neutral one")
      failure = failure ?? (RoverProperty.attitude, rejection)
    }
    if let failure { return outputs.append(.reject(batch.number, failure.property, failure.rejection)) }
    let property = batch.commands.count == 1 ? batch.commands.first?.property : nil
    perform(orders, batch.number, property, at: now, into: &outputs)
  }

  private mutating func perform(
    _ orders: [RoverOrder], _ batch: UInt64, _ property: PropertyKey?, at now: Duration,
    into outputs: inout [Output]
  ) {
    var isDriving = false
    for order in orders {
      switch order {
      case .stop, .driver: break
      case .voice(let word): outputs.append(.report(RoverProperty.voice, .text(word.text)))
      case .neutral:
        if let last = stream.last { setNeutral(last, into: &outputs) }
      case .upright: setNeutral(settings.neutral, into: &outputs)
      case .attitude(let attitude, let isNeutral):
        if isNeutral { setNeutral(attitude, into: &outputs) }
        guard take(attitude, batch, at: now, into: &outputs) else { continue }
      case .stopOnTipping(let isOn):
        stopsOnTipping = isOn
        keepSettings(into: &outputs)
        if isOn, tipping.isOn == true, throttle > 0 { stop(because: .tipping, into: &outputs) }
      case .profile(let profile):
        self.profile = profile
        keepSettings(into: &outputs)
      default: break
      }
      isDriving = apply(order, into: &outputs) || isDriving
    }
    guard isDriving else { return }
    goesOn()
    move(at: now, for: Order(batch: batch, property: property), into: &outputs)
    reportDrive(into: &outputs)
    guard orders.contains(where: { $0.way != nil }) else { return }
    if throttle > 0 {
      let time = way == .attitude ? settings.attitudeTimeout : settings.commandTimeout
      outputs.append(.setTimer(Timer.deadMan, after: time))
    } else {
      outputs.append(.cancelTimer(Timer.deadMan))
    }
  }

  /// Changes what is wanted; returns whether the board may have to be told.
  private mutating func apply(_ order: RoverOrder, into outputs: inout [Output]) -> Bool {
    if let new = order.way, new != way, !order.isStop {
      if new != .attitude { stream.suspend() }
      // A throttle that only a held phone keeps up does not outlive the phone's turn.
      if way == .attitude, throttle > 0, !order.setsThrottle { halt(into: &outputs) }
      way = new
    }
    switch order {
    case .direction(let direction): turn(to: direction, into: &outputs)
    case .throttle(let percent): set(throttle: percent)
    case .steering(let percent): drive.steering = percent
    case .voice(.right): drive.steering = min(settings.steeringWord, settings.steeringLimit)
    case .voice(.left): drive.steering = -min(settings.steeringWord, settings.steeringLimit)
    case .voice(.center): drive.steering = 0
    case .voice(.drive(let direction, let speed)):
      turn(to: direction, into: &outputs)
      set(throttle: settings.throttle(of: speed))
    case .attitude(let attitude, _):
      let wanted = attitude.command(settings, neutral: neutral)
      // A phone held neutral stops a rover at once, and does not say so five times a second.
      if wanted.throttle == 0, throttle > 0 {
        let stream = self.stream
        halt(into: &outputs)
        self.stream = stream
        way = .attitude
      }
      set(throttle: wanted.throttle)
      drive.steering = wanted.throttle == 0 ? 0 : wanted.steering
    case .profile: set(throttle: throttle)
    default: return false
    }
    return true
  }

  private mutating func set(throttle percent: Int) {
    throttle = percent
    drive.power = settings.power(of: percent, profile)
  }

  /// The rover stands first, and until there is throttle again.
  private mutating func turn(to direction: RoverDirection, into outputs: inout [Output]) {
    if direction != drive.direction, drive.isMoving {
      let way = self.way
      halt(into: &outputs)
      self.way = way
    }
    drive.turn(to: direction)
  }

  /// Returns whether it drives.
  private mutating func take(
    _ attitude: PhoneAttitude, _ batch: UInt64, at now: Duration, into outputs: inout [Output]
  ) -> Bool {
    let isNeutral = attitude.command(settings, neutral: neutral).throttle == 0
    switch stream.take(attitude, isNeutral: isNeutral, pause: settings.attitudeTimeout, at: now) {
    case .drive: return true
    case .ignore: return false
    case .refuse:
      let text = "another way of driving has taken over: hold the phone neutral, then tilt it again"
      outputs.append(.reject(batch, RoverProperty.attitude, Rejection(.notNow, text)))
      return false
    }
  }
}

extension RoverOrder {
  fileprivate var setsThrottle: Bool {
    switch self {
    case .throttle, .voice(.drive), .attitude: true
    default: false
    }
  }

  /// It asks for more than to stand.
  fileprivate var drives: Bool {
    switch self {
    case .throttle, .direction: true
    case .voice(.drive): true
    case .attitude: true
    default: false
    }
  }
}
