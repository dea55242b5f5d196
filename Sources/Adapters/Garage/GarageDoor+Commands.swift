import DeviceModel

extension GarageDoor {
  /// What a checked command does.
  private enum Deed {
    case open
    case close
    /// For a newer board as it is.
    case pass(Command)
    case simulateExit(Int)
    case cross(Int, Crossing, Evidence)
  }

  /// All of a batch is checked before anything of it is done.
  mutating func accept(_ batch: CommandBatch, at now: Moment, into outputs: inout [Output]) {
    var deeds: [Deed] = []
    for command in batch.commands {
      do throws(Rejection) {
        deeds.append(try deed(command, at: now))
      } catch {
        return outputs.append(.reject(batch.number, command.property, error))
      }
    }
    if deeds.contains(where: { if case .open = $0 { true } else { false } }) {
      guard let person = settings.openAs else { return }
      if let refusal = obstacle(at: now) {
        refuse(refusal, person: person, source: "command", into: &outputs)
        return outputs.append(.reject(batch.number, GarageProperty.door, refusal.rejection))
      }
    }
    if deeds.contains(where: { if case .close = $0 { true } else { false } }), opening != nil {
      let rejection = Rejection(.busy, "the door is being moved")
      return outputs.append(.reject(batch.number, GarageProperty.door, rejection))
    }
    for deed in deeds { perform(deed, of: batch.number, at: now, into: &outputs) }
    let passed = deeds.compactMap { if case .pass(let command) = $0 { command } else { nil } }
    if !passed.isEmpty { pass(CommandBatch(number: batch.number, passed), at: now, into: &outputs) }
  }

  private mutating func perform(_ deed: Deed, of batch: UInt64, at now: Moment, into outputs: inout [Output])
  {
    switch deed {
    case .open:
      guard let person = settings.openAs, opening == nil else { return }
      begin(Opening(.command(batch: batch), person: person), at: now, into: &outputs)
    case .close:
      guard let person = settings.openAs, opening == nil else { return }
      var closing = Opening(.command(batch: batch), person: person)
      closing.isClosing = true
      begin(closing, at: now, into: &outputs)
    case .pass: break
    case .simulateExit(let person):
      handle(.simulateExit, of: person, Evidence(now: now.wall), from: .simulation, at: now, into: &outputs)
    case .cross(let person, let crossing, let evidence):
      take(crossing, of: person, evidence, at: now, into: &outputs)
      guard !evidence.isFresh else { return }
      let words = "\(evidence.time.iso8601) is too long ago: it neither opens nor arms"
      let key = GarageProperty.presence(residents[person].settings.slug)
      outputs.append(.reject(batch, key, Rejection(.notNow, words)))
    }
  }

  private func deed(_ command: Command, at now: Moment) throws(Rejection) -> Deed {
    guard let property = description[command.property] else {
      throw Rejection(.unknownProperty, "this garage door has no property \(command.property)")
    }
    guard property.isSettable else { throw Rejection(.readOnly, "\(command.property) is only read") }
    guard command.verb == .set else {
      throw Rejection(.unsupported, "\(command.property) takes set only, not \(command.verb.rawValue)")
    }
    if command.property == GarageProperty.door {
      if command.value == "CLOSE", newer != nil { return .close }
      guard command.value == "OPEN" else {
        throw Rejection(
          .invalid,
          "door takes \(newer == nil ? "OPEN" : "OPEN and CLOSE"), not '\(command.value.briefly.excerpt)'")
      }
      return .open
    }
    if [GarageProperty.light, GarageProperty.closingInterval].contains(command.property) {
      return .pass(command)
    }
    for (index, resident) in residents.enumerated() {
      let slug = resident.settings.slug
      if command.property == GarageProperty.simulateExit(slug) { return .simulateExit(index) }
      if command.property == GarageProperty.presence(slug) {
        let (crossing, evidence) = try crossing(command.value, at: now)
        return .cross(index, crossing, evidence)
      }
    }
    throw Rejection(.unsupported, "\(command.property) cannot be set")
  }
}
