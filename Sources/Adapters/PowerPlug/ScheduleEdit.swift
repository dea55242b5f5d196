import DeviceModel

/// What is asked of the table as a whole, by names; the slots are found when the table has been read.
enum ScheduleEdit: Hashable, Sendable {
  case replace([Activation])
  case put(Activation)
  case delete(String)

  /// Checks all that can be checked without the table.
  init(_ command: Command) throws(Rejection) {
    switch command.verb {
    case .set:
      guard case .list(let elements) = command.value else {
        throw Rejection(
          .invalid, "schedule takes a list of activations, not \(command.value.briefly.excerpt)")
      }
      guard elements.count <= PlugSlot.most else {
        throw Rejection(.full, "a board has \(PlugSlot.most) slots at most, not \(elements.count)")
      }
      var activations: [Activation] = []
      for (index, element) in elements.enumerated() {
        let activation = try Activation(element, at: "schedule[\(index)]")
        if let twin = activations.firstIndex(where: { $0.name == activation.name }) {
          throw Rejection(
            .invalid, "schedule[\(index)] has the name '\(activation.name)' of schedule[\(twin)]")
        }
        activations.append(activation)
      }
      self = .replace(activations)
    case .put: self = .put(try Activation(command.value, at: "activation"))
    case .delete: self = .delete(try Self.name(command.value))
    }
  }

  /// A bare name, or an object that holds nothing else.
  private static func name(_ value: Value) throws(Rejection) -> String {
    switch value {
    case .text(let name) where !name.isEmpty: return name
    case .integer(let number): return String(number)
    case .object(let members) where members.count == 1:
      if case .text(let name)? = members["name"], !name.isEmpty { return name }
    default: break
    }
    throw Rejection(.invalid, "delete takes the name of an activation, not '\(value.briefly.excerpt)'")
  }

  /// What the table is to be, slot by slot. Activations stay in their slots; free slots are filled first.
  func applied(to table: [PlugSlot]) throws(Rejection) -> [PlugSlot] {
    switch self {
    case .put(let activation): return try Self.put(activation, into: table)
    case .delete(let name):
      let kept = table.map { $0.activation?.name == name ? PlugSlot.free : $0 }
      guard kept != table else { throw Rejection(.invalid, "there is no activation named '\(name.excerpt)'") }
      return kept
    case .replace(let activations):
      guard activations.count <= table.count else {
        throw Rejection(.full, "the board has \(table.count) slots, not \(activations.count)")
      }
      return Self.replace(table, by: activations)
    }
  }

  private static func put(_ activation: Activation, into table: [PlugSlot]) throws(Rejection) -> [PlugSlot] {
    guard
      let slot = table.firstIndex(where: { $0.activation?.name == activation.name })
        ?? table.firstIndex(of: .free)
    else { throw Rejection(.full, "all \(table.count) slots of the board are taken") }
    var table = table
    table[slot] = .taken(activation)
    return table
  }

  private static func replace(_ table: [PlugSlot], by activations: [Activation]) -> [PlugSlot] {
    var result = [PlugSlot](repeating: .free, count: table.count)
    var homeless: [Activation] = []
    for activation in activations {
      if let slot = table.firstIndex(where: { $0.activation?.name == activation.name }) {
        result[slot] = .taken(activation)
      } else {
        homeless.append(activation)
      }
    }
    let places =
      table.indices.filter { result[$0] == .free && table[$0] == .free }
      + table.indices.filter { result[$0] == .free && table[$0] != .free }
    for (activation, slot) in zip(homeless, places) { result[slot] = .taken(activation) }
    return result
  }
}
