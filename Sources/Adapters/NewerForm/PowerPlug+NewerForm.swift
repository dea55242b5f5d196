import DeviceModel

extension PowerPlug: ClassicForm {
  /// A name in the table may hold any character.
  var isMidRecord: Bool { !decoder.isBetweenMessages }
}

extension NewerForm {
  static let powerPlug = NewerForm(
    classic: PlugProperty.description, additions: [],
    translated: { key, value, now in key == PlugProperty.schedule ? schedule(value, at: now) : value },
    prepared: { command throws(Rejection) in try row(command) })

  /// With the switching times of each activation. A row that is no activation stays as it is.
  private static func schedule(_ value: Value, at now: Moment) -> Value {
    guard case .list(let rows) = value else { return value }
    return .list(
      rows.map { row in
        guard let activation = try? Activation(row, at: "schedule") else { return row }
        return activation.value(at: now.wall.seconds)
      })
  }

  /// Checked as for a classic board, and without what is only reported.
  private static func row(_ command: Command) throws(Rejection) -> Command {
    guard command.property == PlugProperty.schedule else { return command }
    var command = command
    switch try ScheduleEdit(command) {
    case .replace(let activations): command.value = .list(activations.map(\.row))
    case .put(let activation): command.value = activation.row
    case .delete(let name): command.value = .text(name)
    }
    return command
  }
}

extension Activation {
  fileprivate var row: Value {
    [
      "name": .text(name), "start": .text(Timestamp(seconds: startSeconds).iso8601),
      "length": .integer(Int(lengthMinutes)), "period": .integer(Int(periodMinutes)),
    ]
  }
}
