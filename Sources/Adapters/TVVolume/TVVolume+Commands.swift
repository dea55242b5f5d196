import DeviceModel

extension TVVolume {
  enum Step {
    case levelling(Bool)
    case target(Double)
    case press(VolumeControl.Key)
    case level(Double)
  }

  mutating func accept(_ batch: CommandBatch, at now: Duration, into outputs: inout [Output]) {
    guard isUp || batch.commands.allSatisfy({ $0.property == TVVolumeProperty.level }) else {
      return outputs.append(.reject(batch.number, nil, Rejection(.away, "the board is not connected")))
    }
    var steps: [Step] = []
    for command in batch.commands {
      do throws(Rejection) {
        steps.append(try step(command))
      } catch {
        return outputs.append(.reject(batch.number, command.property, error))
      }
    }
    guard orders.count + steps.count <= Self.mostOrders else {
      let rejection = Rejection(.busy, "\(orders.count) keys wait already")
      return outputs.append(.reject(batch.number, batch.commands.first?.property, rejection))
    }
    for step in steps { perform(step, batch.number, at: now, into: &outputs) }
    finishIfDone(into: &outputs)
  }

  private static let mostOrders = 32

  private mutating func perform(
    _ step: Step, _ batch: UInt64, at now: Duration, into outputs: inout [Output]
  ) {
    switch step {
    case .levelling(let isOn):
      isLevelling = isOn
      limit.reset()
      keepSettings(into: &outputs)
    case .target(let level):
      control.wanted = level
      limit.reset()
      keepSettings(into: &outputs)
    case .press(let key):
      limit.reset()
      press(key, batch: batch, into: &outputs)
    case .level(let level): take(level, at: now, into: &outputs)
    }
  }

  private func step(_ command: Command) throws(Rejection) -> Step {
    switch (command.property, command.verb, command.value) {
    case (TVVolumeProperty.levelling, .set, .boolean(let isOn)): return .levelling(isOn)
    case (TVVolumeProperty.target, .set, .number(let level)) where (-50...0).contains(level):
      return .target(level)
    case (TVVolumeProperty.volumeUp, .set, .unknown): return .press(.up)
    case (TVVolumeProperty.volumeDown, .set, .unknown): return .press(.down)
    case (TVVolumeProperty.level, .set, .number(let level)):
      guard !isMicrophoneUp else {
        throw Rejection(.notNow, "the level comes from the microphone")
      }
      guard level <= 0 else {
        throw Rejection(.outOfRange, "level is at most 0 dBFS, not \(level.shortest)")
      }
      return .level(max(level, VolumeControl.floor))
    default: break
    }
    guard let property = description[command.property] else {
      throw Rejection(.unknownProperty, "a TV volume leveller has no property \(command.property)")
    }
    guard property.isSettable else { throw Rejection(.readOnly, "\(command.property) is only read") }
    guard command.verb == .set else {
      throw Rejection(.unsupported, "\(command.property) takes set only, not \(command.verb.rawValue)")
    }
    throw Rejection(.invalid, "\(command.property) does not take \(command.value.briefly.excerpt)")
  }

  // MARK: settings

  func reportSettings(into outputs: inout [Output]) {
    outputs.append(.report(TVVolumeProperty.levelling, .boolean(isLevelling)))
    outputs.append(.report(TVVolumeProperty.target, .number(control.wanted)))
    outputs.append(.report(TVVolumeProperty.lastKey, .text(lastKey?.rawValue ?? TVVolumeProperty.none)))
  }

  private func keepSettings(into outputs: inout [Output]) {
    outputs.append(
      .remember(["levelling": .boolean(isLevelling), "target": .number(control.wanted)]))
    outputs.append(.report(TVVolumeProperty.levelling, .boolean(isLevelling)))
    outputs.append(.report(TVVolumeProperty.target, .number(control.wanted)))
  }

  mutating func restore(_ value: Value, into outputs: inout [Output]) {
    if case .object(let members) = value {
      if case .boolean(let isOn)? = members["levelling"] { isLevelling = isOn }
      let target: Double? =
        switch members["target"] {
        case .number(let number)?: number
        case .integer(let integer)?: Double(integer)
        default: nil
        }
      if let target, (-50...0).contains(target) { control.wanted = target }
    }
    reportSettings(into: &outputs)
  }
}
