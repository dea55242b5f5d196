import DeviceModel

/// What people and programs ask for, and what is kept over a restart.
extension LogicInLines {
  mutating func accept(_ batch: CommandBatch, at now: Moment, into outputs: inout [Output]) {
    func isAddition(_ command: Command) -> Bool { Logic.additions.contains { $0.key == command.property } }
    let additions = batch.commands.filter(isAddition)
    guard isInLines || hasPackets || logic.mayRunTogether(batch) else {
      let words = "the board has not introduced itself yet"
      return outputs.append(.reject(batch.number, batch.commands.first?.property, Rejection(.notNow, words)))
    }
    guard !additions.isEmpty else { return tell(.commands(batch), at: now, into: &outputs) }
    let others = batch.commands.filter { !isAddition($0) }
    var wanted: [Command] = []
    for addition in additions {
      guard let board = session.known else {
        wanted.append(addition)
        continue
      }
      do throws(Rejection) {
        wanted += try logic.prepared(addition, for: board)
      } catch {
        return outputs.append(.reject(batch.number, addition.property, error))
      }
    }
    if !others.isEmpty {
      tell(.commands(CommandBatch(number: batch.number, others)), at: now, into: &outputs)
    }
    speak(at: now, into: &outputs) { session, facts, outputs in
      session.accept(
        CommandBatch(number: batch.number, wanted), at: now.uptime, into: &outputs, facts: &facts)
    }
  }

  mutating func remember(into outputs: inout [Output]) {
    var members = Value.Members()
    members["settings"] = settings
    members["board"] = session.known?.remembered
    outputs.append(.remember(.object(members)))
  }

  mutating func restore(_ value: Value, at now: Moment, into outputs: inout [Output]) {
    if case .object(let members) = value {
      settings = members["settings"] ?? .unknown
      session.known = members["board"].flatMap { LineForm.Board(remembered: $0) }
    }
    tell(.remembered(settings), at: now, into: &outputs)
    describe(into: &outputs)
  }
}
