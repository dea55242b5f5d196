import DeviceModel

extension GarageDoor {
  /// Somebody has entered or left a region.
  mutating func take(
    _ crossing: Crossing, of person: Int, _ evidence: Evidence, at now: Moment, into outputs: inout [Output]
  ) {
    note(crossing, of: person, at: evidence.time, into: &outputs)
    handle(crossing.input, of: person, evidence, from: crossing.source, at: now, into: &outputs)
  }

  mutating func note(
    _ crossing: Crossing, of person: Int, at time: Timestamp, into outputs: inout [Output]
  ) {
    let slug = residents[person].settings.slug
    guard residents[person].whereabouts.cross(into: crossing.region, crossing.isEntering, at: time) else {
      return
    }
    outputs.append(.report(GarageProperty.isIn(crossing.region, slug), .boolean(crossing.isEntering)))
    var facts = Value.Members()
    facts["person"] = .text(residents[person].settings.name)
    facts["region"] = .text(crossing.region.rawValue)
    facts["source"] = .text(crossing.source.rawValue)
    facts["time"] = .text(time.iso8601)
    outputs.append(
      .event(
        crossing.isEntering ? GarageProperty.Event.regionEntered : GarageProperty.Event.regionLeft, facts))
  }

  mutating func handle(
    _ input: Homecoming.Input, of person: Int, _ evidence: Evidence, from source: Resident.Source,
    at now: Moment, into outputs: inout [Output]
  ) {
    switch residents[person].homecoming.handle(input, evidence) {
    case .nothing: break
    case .armed: reportArmed(person, into: &outputs)
    case .disarmed:
      let words = "\(residents[person].settings.name)'s arrival was told too late"
      refuse(
        OpeningRefusal(reason: .stale, explanation: words), person: person, source: source.rawValue,
        into: &outputs)
      reportArmed(person, into: &outputs)
    case .open:
      arrive(Opening.Arrival(person: person, time: evidence.time, source: source), at: now, into: &outputs)
    }
    let isLeaving = input == .leaveHome || input == .seenOutside || input == .simulateExit
    if isLeaving, evidence.isFresh {
      opening?.markLeft(person, evidence)
      if let turned = residents[person].turnedAway, evidence.isLater(than: turned.arrivedAt) {
        residents[person].turnedAway = nil
      }
    }
  }

  /// Somebody is home to be let in.
  private mutating func arrive(_ arrival: Opening.Arrival, at now: Moment, into outputs: inout [Output]) {
    if let opening {
      guard !opening.arrivals.contains(where: { $0.person == arrival.person }) else { return }
      self.opening?.companions.append(arrival)
    } else if presumedOpen(at: now.uptime) > .zero {
      residents[arrival.person].homecoming.cameIn(at: arrival.time)
      reportArmed(arrival.person, into: &outputs)
    } else {
      begin(Opening(.arrival(arrival), person: arrival.person), at: now, into: &outputs)
    }
  }

  // MARK: the plain topic

  /// Nil for a command that is none; throws for one that is to be refused.
  func crossing(_ value: Value, at now: Moment) throws(Rejection) -> (Crossing, Evidence) {
    switch value {
    case .text(let word):
      switch word.lowercased() {
      case "enter":
        return (Crossing(region: .beacon, isEntering: true, source: .presence), Evidence(now: now.wall))
      case "leave":
        return (Crossing(region: .home, isEntering: false, source: .presence), Evidence(now: now.wall))
      default: break
      }
    case .object(let members): return try crossing(members, at: now)
    default: break
    }
    throw Rejection(.invalid, "presence takes enter, leave or an object, not '\(value.briefly.excerpt)'")
  }

  private func crossing(_ members: Value.Members, at now: Moment) throws(Rejection) -> (Crossing, Evidence) {
    let known = ["region", "event", "tst"]
    if let name = members.names.first(where: { !known.contains($0) }) {
      throw Rejection(.invalid, "presence takes region, event and tst, not '\(name.excerpt)'")
    }
    guard case .text(let word)? = members["region"], let region = GarageRegion(rawValue: word.lowercased())
    else {
      throw Rejection(.invalid, "presence needs a region, beacon or home")
    }
    guard case .text(let event)? = members["event"], ["enter", "leave"].contains(event.lowercased()) else {
      throw Rejection(.invalid, "presence needs an event, enter or leave")
    }
    let crossing = Crossing(
      region: region, isEntering: event.lowercased() == "enter", source: .presence)
    guard let date = members["tst"] else { return (crossing, Evidence(now: now.wall)) }
    guard let seconds = date.real, (0...1e10).contains(seconds) else {
      throw Rejection(.invalid, "tst is in seconds since 1970")
    }
    let time = Timestamp(milliseconds: Int64(seconds * 1000))
    guard let evidence = Evidence(dated: time, at: now.wall) else {
      throw Rejection(.notNow, "tst \(time.iso8601) is in the future")
    }
    return (crossing, evidence)
  }

  // MARK: the beacon in the car

  mutating func listen(_ isListening: Bool, at now: Moment, into outputs: inout [Output]) {
    for index in residents.indices {
      if isListening {
        residents[index].car?.listen(at: now.uptime)
      } else if residents[index].car?.state == .absent {
        // It may come back while nobody hears it: to be heard then is no arrival.
        residents[index].car?.forget()
      } else {
        residents[index].car?.stopListening()
      }
    }
    setCarTimer(at: now, into: &outputs)
  }

  mutating func deafen(_ isDeaf: Bool, at now: Moment, into outputs: inout [Output]) {
    for index in residents.indices { residents[index].car?.deafen(isDeaf, at: now.uptime) }
    setCarTimer(at: now, into: &outputs)
  }

  /// False for an advertisement of something else, and for one that changes nothing.
  mutating func hear(
    _ advertisement: Advertisement, at now: Moment, into outputs: inout [Output]
  ) -> Bool {
    var isNews = false
    for index in residents.indices {
      guard let car = residents[index].settings.car, car.beacon.frame(in: advertisement) != nil else {
        continue
      }
      if let minimum = car.minimumRSSIdBm, advertisement.rssiDBm ?? -127 < minimum { continue }
      guard let change = residents[index].car?.heard(at: now.uptime) else { continue }
      isNews = true
      let crossing = Crossing(region: .beacon, isEntering: true, source: .carBeacon)
      let evidence = Evidence(now: now.wall)
      residents[index].homecoming.bound(at: now.wall)
      if change == .returned {
        take(crossing, of: index, evidence, at: now, into: &outputs)
      } else {
        // It was there already when listening began: the person is home, and did not come now.
        note(crossing, of: index, at: evidence.time, into: &outputs)
        residents[index].homecoming.cameIn(at: evidence.time)
        reportArmed(index, into: &outputs)
      }
    }
    if isNews { setCarTimer(at: now, into: &outputs) }
    return isNews
  }

  mutating func carsOverdue(at now: Moment, into outputs: inout [Output]) {
    for index in residents.indices where residents[index].car?.expire(at: now.uptime) == .left {
      let crossing = Crossing(region: .beacon, isEntering: false, source: .carBeacon)
      take(crossing, of: index, Evidence(now: now.wall), at: now, into: &outputs)
    }
    setCarTimer(at: now, into: &outputs)
  }

  private func setCarTimer(at now: Moment, into outputs: inout [Output]) {
    guard let next = residents.compactMap({ $0.car?.deadline }).min() else {
      return outputs.append(.cancelTimer(Timer.car))
    }
    outputs.append(.setTimer(Timer.car, after: max(.zero, next - now.uptime)))
  }
}
