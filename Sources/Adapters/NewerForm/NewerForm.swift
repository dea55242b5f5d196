import DeviceModel

/// How a kind's boards say in lines what they always said in bytes of their own, and more.
struct NewerForm: Sendable {
  /// What a board that speaks only the older form has.
  var classic: DeviceDescription
  /// What newer boards have besides, in the words of the kind.
  var additions: [Property]
  /// Types of event that are the device's own, whichever entity of the board tells them.
  var eventTypes: [String] = []
  /// What a value is to the kind.
  var translated: @Sendable (PropertyKey, Value, Moment) -> Value = { _, value, _ in value }
  /// What the board is asked for a command of the kind.
  var prepared: @Sendable (Command) throws(Rejection) -> Command = { command throws(Rejection) in command }

  /// Which form is spoken to a board that says nothing in lines by itself.
  enum Choice: String, Hashable, Sendable, CaseIterable {
    case classic, lines
  }

  static let option = OptionField.choice(
    "form", Choice.allCases.map(\.rawValue), default: Choice.classic.rawValue,
    summary: "lines: the board has a newer sketch and is asked for it when it is connected."
      + " classic: nothing but its old bytes is sent to it, unless it says by itself that it speaks in lines."
  )

  static func choice(in options: Options) -> Choice { options.text("form").flatMap(Choice.init) ?? .classic }

  /// The kind's own properties as far as the board has them, in the kind's order, then what else the board has.
  func description(of board: LineForm.Board) -> DeviceDescription {
    var described = board.description.properties
    var properties: [Property] = []
    for var property in classic.properties + additions {
      guard
        let place = described.firstIndex(where: { $0.key == property.key && $0.kind.isLike(property.kind) })
      else { continue }
      property.kind = property.kind.limited(by: described[place].kind)
      property.isAssumed = described[place].isAssumed
      properties.append(property)
      described.remove(at: place)
    }
    var types: [String] = []
    described.removeAll { property in
      guard case .event(let options, _) = property.kind, options.allSatisfy(eventTypes.contains) else {
        return false
      }
      types += options
      return true
    }
    for var property in described {
      // The main entity is the kind's.
      if property.name == nil { property.name = property.key.text }
      properties.append(property)
    }
    return DeviceDescription(
      manufacturer: board.hello.manufacturer ?? classic.manufacturer,
      model: board.hello.model ?? classic.model,
      softwareVersion: board.hello.version, properties: properties, eventTypes: types)
  }
}

extension PropertyKind {
  /// One entity to Home Assistant, whatever its limits.
  fileprivate func isLike(_ other: PropertyKind) -> Bool {
    switch (self, other) {
    case (.sensor, .sensor), (.enumeration, .enumeration), (.timestamp, .timestamp), (.number, .number),
      (.binarySensor, .binarySensor), (.switch, .switch), (.select, .select), (.button, .button),
      (.text, .text), (.lock, .lock), (.cover, .cover), (.event, .event), (.structured, .structured):
      true
    default: false
    }
  }

  /// The range and the words are the board's.
  fileprivate func limited(by board: PropertyKind) -> PropertyKind {
    switch (self, board) {
    case (.number(_, let measurement), .number(let range, _)): .number(range, measurement)
    case (.select, .select), (.enumeration, .enumeration), (.text, .text), (.cover, .cover): board
    default: self
    }
  }
}
