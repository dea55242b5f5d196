import DeviceModel

extension GarageDoor {
  /// A message of a person's phone.
  mutating func take(_ message: OutsideMessage, at now: Moment, into outputs: inout [Output]) {
    guard let person = residents.firstIndex(where: { $0.settings.slug == message.name }) else { return }
    guard !message.isRetained, !message.payload.isEmpty else { return }
    do throws(OwnTracksError) {
      let told = try OwnTracksMessage(message.payload)
      residents[person].complaint = nil
      switch told {
      case .transition(let transition): take(transition, of: person, at: now, into: &outputs)
      case .location(let location): take(location, of: person, at: now, into: &outputs)
      case .waypoints(let waypoints):
        for waypoint in waypoints { take(waypoint, of: person, into: &outputs) }
      case .other: break
      }
    } catch {
      complain(error, of: person, into: &outputs)
    }
  }

  /// Once, until the phone says something that can be read or another thing is wrong with it.
  private mutating func complain(_ error: OwnTracksError, of person: Int, into outputs: inout [Output]) {
    let name = residents[person].settings.name
    let words = "the phone of \(name): \(error)"
    guard residents[person].complaint != words else { return }
    residents[person].complaint = words
    outputs.append(.log(.warning, words))
    guard error == .encrypted else { return }
    refuse(
      OpeningRefusal(reason: .encrypted, explanation: words), person: person,
      source: Resident.Source.ownTracks.rawValue, into: &outputs)
  }

  private mutating func take(
    _ transition: OwnTracksMessage.Transition, of person: Int, at now: Moment, into outputs: inout [Output]
  ) {
    let named = transition.region.flatMap { settings.regions.region($0) }
    let region = named ?? transition.identifier.flatMap { residents[person].whereabouts.region(of: $0) }
    guard let region else { return }
    if named != nil { meet(transition.identifier, as: region, of: person, into: &outputs) }
    let crossing = Crossing(region: region, isEntering: transition.isEntering, source: .ownTracks)
    guard let evidence = Evidence(dated: transition.time, at: now.wall) else {
      return refuseFuture(transition.time, crossing, of: person, into: &outputs)
    }
    take(crossing, of: person, evidence, at: now, into: &outputs)
  }

  /// A phone whose clock is ahead, or a bridge whose clock is behind: either must be put right.
  private mutating func refuseFuture(
    _ time: Timestamp, _ crossing: Crossing, of person: Int, into outputs: inout [Output]
  ) {
    let words =
      "the phone of \(residents[person].settings.name) dates a message \(time.iso8601), in the future"
    if residents[person].complaint != "future" { outputs.append(.log(.warning, words)) }
    residents[person].complaint = "future"
    guard crossing.input == .enterBeacon, !residents[person].homecoming.isInside else { return }
    refuse(
      OpeningRefusal(reason: .future, explanation: words), person: person,
      source: crossing.source.rawValue, into: &outputs)
  }

  /// A position tells in which regions a phone is, should a transition have been lost.
  private mutating func take(
    _ location: OwnTracksMessage.Location, of person: Int, at now: Moment, into outputs: inout [Output]
  ) {
    guard let evidence = Evidence(dated: location.time, at: now.wall) else { return }
    let regions = residents[person].whereabouts.regions(of: location, settings.regions)
    if let regions {
      if regions.contains(.home) { meet(nil, as: .home, of: person, into: &outputs) }
      for region in GarageRegion.allCases {
        take(location, isIn: regions.contains(region), region, of: person, evidence, at: now, into: &outputs)
      }
    }
    let isOut = residents[person].whereabouts.isOutsideHome(
      location, in: regions, accuracyMetres: settings.accuracyMetres)
    guard isOut else { return }
    note(
      Crossing(region: .home, isEntering: false, source: .ownTracks), of: person, at: evidence.time,
      into: &outputs)
    handle(.seenOutside, of: person, evidence, from: .ownTracks, at: now, into: &outputs)
  }

  /// Only who was known to be outside of a region enters it by being found there; who left the home is for the
  /// position itself to tell.
  private mutating func take(
    _ location: OwnTracksMessage.Location, isIn: Bool, _ region: GarageRegion, of person: Int,
    _ evidence: Evidence, at now: Moment, into outputs: inout [Output]
  ) {
    let crossing = Crossing(region: region, isEntering: isIn, source: .ownTracks)
    let before = residents[person].whereabouts.isIn[region]
    if isIn, before == false {
      take(crossing, of: person, evidence, at: now, into: &outputs)
    } else if isIn || region == .beacon {
      note(crossing, of: person, at: evidence.time, into: &outputs)
    }
  }

  private mutating func take(
    _ waypoint: OwnTracksMessage.Waypoint, of person: Int, into outputs: inout [Output]
  ) {
    guard let region = settings.regions.region(waypoint.region) else { return }
    meet(waypoint.identifier, as: region, of: person, into: &outputs)
    if region == .home, let circle = waypoint.circle { residents[person].whereabouts.learn(home: circle) }
  }

  private mutating func meet(
    _ identifier: String?, as region: GarageRegion, of person: Int, into outputs: inout [Output]
  ) {
    guard residents[person].whereabouts.meet(identifier, as: region), !residents[person].hasForgotten
    else { return }
    residents[person].hasForgotten = true
    let words =
      "the phone of \(residents[person].settings.name) has told more than \(Whereabouts.mostIdentifiers)"
      + " identifiers of the home and the garage: of the oldest its messages need the region's name"
    outputs.append(.log(.info, words))
  }
}
