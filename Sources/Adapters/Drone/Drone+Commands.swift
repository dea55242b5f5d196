import DeviceModel

extension Drone {
  /// All of a batch, or nothing: only one that says where the drone is may stand beside another.
  mutating func accept(_ batch: CommandBatch, at now: Moment, into outputs: inout [Output]) {
    // A position in the batch counts for its target, whichever comes first.
    var navigator = self.navigator
    for command in batch.commands where command.property == DroneProperty.location {
      if let position = try? DronePosition.read(command.value, at: now) { navigator.locate(position) }
    }
    for command in batch.commands {
      do throws(Rejection) {
        try check(command, by: navigator, at: now)
      } catch {
        outputs.append(.reject(batch.number, command.property, error))
        return
      }
    }
    let moves = batch.commands.filter { $0.property != DroneProperty.location }
    if let second = moves.dropFirst().first {
      outputs.append(
        .reject(
          batch.number, second.property,
          Rejection(.invalid, "one thing at a time: \(moves[0].property) or this")))
      return
    }
    for command in batch.commands { carryOut(command, batch.number, at: now, into: &outputs) }
  }

  private func check(_ command: Command, by navigator: DroneNavigator, at now: Moment) throws(Rejection) {
    switch command.property {
    case DroneProperty.takeOff: try checkTakeOff(at: now.uptime)
    case DroneProperty.target:
      let target: DroneNavigator.Place
      do throws(DronePosition.Flaw) {
        target = try DronePosition.readPlace(command.value)
      } catch {
        throw Rejection(.invalid, "target: \(error)")
      }
      guard heard?.demo.control == .flying, isToFly else {
        throw Rejection(.notNow, "the drone is not in the air: it takes off first")
      }
      if let metres = navigator.excess(to: target, at: now.uptime) {
        throw Rejection(.outOfRange, tooFar(metres))
      }
    case DroneProperty.location:
      do throws(DronePosition.Flaw) {
        _ = try DronePosition.read(command.value, at: now)
      } catch {
        throw Rejection(.invalid, "location: \(error)")
      }
    case DroneProperty.hover:
      guard isToFly else { throw Rejection(.notNow, "the drone is not in the air") }
    case DroneProperty.reset:
      guard activity == .emergency else { throw Rejection(.notNow, "there is no emergency to end") }
    case DroneProperty.emergency:
      guard activity != .emergency else {
        throw Rejection(.notNow, "the motors are off by an emergency already")
      }
    case DroneProperty.land, DroneProperty.shutDown: break
    default: throw Rejection(.unknownProperty, "a drone takes no \(command.property)")
    }
  }

  func tooFar(_ metres: Double) -> String {
    "the target is \(metres.rounded(.up).shortest) m away; 'reach' lets it fly \(settings.reach.shortest) m"
  }

  private func checkTakeOff(at now: Duration) throws(Rejection) {
    guard let heard, isFresh(at: now) else { throw Rejection(.notNow, "the drone's telemetry does not come") }
    guard brokerLostAt == nil else { throw Rejection(.notNow, "the broker is lost") }
    guard !isLeaving else { throw Rejection(.notNow, "the bridge stops") }
    guard order == nil else { throw Rejection(.notNow, "the drone takes off already") }
    guard activity == .landed, press == nil else {
      throw Rejection(.notNow, "the drone is not landed but \(activity?.rawValue ?? "unknown")")
    }
    let needed = max(settings.takeOffBattery, settings.landingBattery)
    guard heard.demo.battery >= UInt32(needed), !heard.telemetry.state.contains(.batteryLow) else {
      throw Rejection(.notNow, "the battery is at \(heard.demo.battery) %, and \(needed) % are needed")
    }
  }

  private mutating func carryOut(
    _ command: Command, _ batch: UInt64, at now: Moment, into outputs: inout [Output]
  ) {
    if command.property == DroneProperty.location {
      if let position = try? DronePosition.read(command.value, at: now) { locate(position, into: &outputs) }
      return
    }
    adoptedAt = nil
    let order = Order(batch: batch, property: command.property, until: now.uptime + Timing.takeOff)
    switch command.property {
    case DroneProperty.takeOff:
      wake()
      (isToFly, isToLand, mayBeInTheAir) = (true, false, true)
      self.order = order
      send([.flatTrim], as: "trim", into: &outputs)
    case DroneProperty.land, DroneProperty.shutDown:
      wake()
      setDown("landing was asked for meanwhile", into: &outputs)
      restsAfterLanding = command.property == DroneProperty.shutDown
    case DroneProperty.hover: head(for: nil, into: &outputs)
    case DroneProperty.target: head(for: try? DronePosition.readPlace(command.value), into: &outputs)
    case DroneProperty.reset, DroneProperty.emergency:
      wake()
      setDown("the emergency switch was pressed meanwhile", into: &outputs)
      // It acts when it goes down, so it has to be up before.
      send([.reference(isFlying: false)], as: "release", into: &outputs)
      press = EmergencyPress(order: order, isEmergency: command.property == DroneProperty.emergency)
      press?.order.until = now.uptime + Timing.press
    default: return
    }
    beat(at: now.uptime, into: &outputs)
    reportActivity(into: &outputs)
  }

  /// Commands go out again.
  private mutating func wake() {
    isResting = false
    restsAfterLanding = false
  }

  mutating func head(for target: DroneNavigator.Place?, into outputs: inout [Output]) {
    navigator.head(for: target)
    hasToldArrival = false
    course = .hover(.noTarget)
    outputs.append(
      .report(
        DroneProperty.target,
        target.map { ["latitude": .number($0.latitude), "longitude": .number($0.longitude)] } ?? .unknown))
    reportWay(into: &outputs)
  }

  /// A message of the phone on board.
  mutating func locate(by message: OutsideMessage, at now: Moment, into outputs: inout [Output]) {
    guard !message.isRetained else { return }
    do throws(DronePosition.Flaw) {
      guard let position = try DronePosition.readOwnTracks(message.payload, at: now) else { return }
      locate(position, into: &outputs)
    } catch {
      outputs.append(.log(.warning, "\(message.topic): \(error)"))
    }
  }

  private mutating func locate(_ position: DroneNavigator.Position, into outputs: inout [Output]) {
    guard navigator.locate(position) else { return }
    var members: Value.Members = [
      "latitude": .number(position.place.latitude), "longitude": .number(position.place.longitude),
    ]
    members["gps_accuracy"] = position.accuracy.map { .number($0) }
    outputs.append(.report(DroneProperty.location, .object(members)))
    outputs.append(
      .report(
        DroneProperty.heading,
        position.heading.map { heading in
          let turned = (heading + settings.mountingOffset).truncatingRemainder(dividingBy: 360)
          return .number(((turned + 360).truncatingRemainder(dividingBy: 360)).rounded())
        } ?? .unknown))
    reportWay(into: &outputs)
  }
}
