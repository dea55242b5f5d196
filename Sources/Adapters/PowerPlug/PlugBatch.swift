import DeviceModel

/// A batch of commands, checked as far as that goes without the board.
struct PlugBatch: Hashable, Sendable {
  var number: UInt64
  var order = SwitchOrder()
  var edits: [ScheduleEdit] = []

  /// Throws the property at fault with the reason.
  init(_ batch: CommandBatch) throws(Refusal) {
    number = batch.number
    for command in batch.commands {
      do throws(Rejection) {
        try add(command)
      } catch {
        throw Refusal(property: command.property, rejection: error)
      }
    }
  }

  struct Refusal: Error, Hashable, Sendable {
    var property: PropertyKey
    var rejection: Rejection
  }

  private mutating func add(_ command: Command) throws(Rejection) {
    switch (command.property, command.verb, command.value) {
    case (PlugProperty.power, .set, .boolean(let isOn)): order.isOn = isOn
    case (PlugProperty.mode, .set, .text(PlugProperty.automatic)): order.isManual = false
    case (PlugProperty.mode, .set, .text(PlugProperty.manual)): order.isManual = true
    case (PlugProperty.schedule, _, _): edits.append(try ScheduleEdit(command))
    case (PlugProperty.power, .set, let value), (PlugProperty.mode, .set, let value):
      throw Rejection(.invalid, "\(command.property) does not take \(value.briefly.excerpt)")
    default:
      guard let property = PlugProperty.description[command.property] else {
        throw Rejection(.unknownProperty, "a power plug has no property \(command.property)")
      }
      guard property.isSettable else { throw Rejection(.readOnly, "\(command.property) is only read") }
      throw Rejection(.unsupported, "\(command.property) takes set only, not \(command.verb.rawValue)")
    }
  }
}
