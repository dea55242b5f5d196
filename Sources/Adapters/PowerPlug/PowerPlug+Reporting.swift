import DeviceModel

extension PowerPlug {
  /// Reports all that the board has told so far, with what follows from it at this time.
  func report(at now: Moment, into outputs: inout [Output]) {
    if let status {
      outputs.append(.report(PlugProperty.power, .boolean(status.isOn)))
      let mode = status.isManual ? PlugProperty.manual : PlugProperty.automatic
      outputs.append(.report(PlugProperty.mode, .text(mode)))
    }
    guard let table else { return }
    let time = now.wall.seconds
    let schedule = PlugSchedule(table)
    outputs.append(.report(PlugProperty.schedule, .list(schedule.activations.map { $0.value(at: time) })))
    let isIgnored = status?.isManual == true
    let next = isIgnored ? nil : schedule.nextSwitch(after: time)
    outputs.append(
      .report(PlugProperty.nextSwitch, next.map { .text(Timestamp(seconds: $0).iso8601) } ?? .unknown))
    let running = isIgnored ? nil : schedule.running(at: time)
    outputs.append(.report(PlugProperty.running, .text(running?.name ?? PlugProperty.none)))
    outputs.append(.report(PlugProperty.clash, .boolean(schedule.hasClash(after: time))))
    outputs.append(.report(PlugProperty.drift, .boolean(findings.isDrifting)))
    guard let change = schedule.nextChange(after: time) else { return }
    let wait = Timestamp(seconds: change).milliseconds - now.wall.milliseconds
    outputs.append(.setTimer(Timer.change, after: min(.milliseconds(wait), Timing.farthestChange)))
  }
}
