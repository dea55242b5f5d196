import DeviceModel

extension GarageDoor {
  mutating func reportAll(at now: Moment, into outputs: inout [Output]) {
    for (index, resident) in residents.enumerated() {
      reportArmed(index, into: &outputs)
      for region in GarageRegion.allCases {
        outputs.append(
          .report(
            GarageProperty.isIn(region, resident.settings.slug),
            resident.whereabouts.isIn[region].map { .boolean($0) } ?? .unknown))
      }
    }
    reportLast(into: &outputs)
    reportDoor(at: now, into: &outputs)
  }

  func reportArmed(_ person: Int, into outputs: inout [Output]) {
    let resident = residents[person]
    outputs.append(
      .report(GarageProperty.armed(resident.settings.slug), .boolean(!resident.homecoming.isInside)))
  }

  func reportLast(into outputs: inout [Output]) {
    outputs.append(.report(GarageProperty.lastOpenedBy, lastOpenedBy.map { .text($0) } ?? .unknown))
    outputs.append(.report(GarageProperty.lastOpened, lastOpened.map { .text($0.iso8601) } ?? .unknown))
  }

  func reportDoor(at now: Moment, into outputs: inout [Output]) {
    let position = newer?.door ?? cycle.position(at: now.uptime)
    outputs.append(.report(GarageProperty.door, position.map { .text($0.rawValue) } ?? .unknown))
    guard let next = cycle.nextChange(after: now.uptime) else {
      return outputs.append(.cancelTimer(Timer.door))
    }
    outputs.append(.setTimer(Timer.door, after: next - now.uptime))
  }
}
