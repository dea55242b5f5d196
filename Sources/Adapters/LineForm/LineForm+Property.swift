import DeviceModel

extension LineForm.Entity {
  /// The property that this is to the bridge; nil for a kind that is not known.
  func property(_ key: PropertyKey) -> Property? {
    guard let kind, let meaning = meaning(of: kind) else { return nil }
    return Property(
      key, name: name.isEmpty ? nil : name, meaning, verbs: kind.verbs,
      category: category, icon: icon?.isEmpty == true ? nil : icon, isAssumed: isAssumed,
      isEnabledByDefault: !isDisabled)
  }

  private func meaning(of kind: Kind) -> PropertyKind? {
    let deviceClass = deviceClass?.isEmpty == true ? nil : deviceClass
    let measurement = PropertyKind.Measurement(
      unit: unit?.isEmpty == true ? nil : unit, deviceClass: deviceClass, stateClass: stateClass,
      precision: decimals)
    switch kind {
    case .sensor: return .sensor(measurement)
    case .textSensor: return .sensor(.init(deviceClass: deviceClass))
    case .enumeration: return .enumeration(options)
    case .timestamp: return .timestamp
    case .binarySensor: return .binarySensor(deviceClass: deviceClass)
    case .switch: return .switch(deviceClass: deviceClass)
    case .number: return range.map { .number($0, measurement) }
    case .select: return .select(options)
    case .button: return .button(deviceClass: deviceClass)
    case .text: return longest.map { .text(maximumLength: $0) }
    case .table: return .structured
    case .event: return .event(options, deviceClass: deviceClass)
    case .lock: return .lock
    case .cover: return .cover(deviceClass: deviceClass, canClose: canClose, canStop: canStop)
    }
  }

  /// What a value means; nil for one that does not fit.
  func value(_ bare: LineForm.BareValue) -> Value? {
    switch (kind, bare) {
    case (.button, _), (.event, _), (nil, _), (.table, _): return nil
    case (_, .unknown): return .unknown
    case (.textSensor, .text(let text)), (.text, .text(let text)): return .text(text)
    case (.sensor, .number(let number)), (.number, .number(let number)): return .number(number)
    case (.enumeration, .number(let number)), (.select, .number(let number)):
      return Self.word(number, of: options)
    case (.timestamp, .number(let number)):
      guard let seconds = UInt32(exactly: number) else { return nil }
      return .text(Timestamp(seconds: Int64(seconds)).iso8601)
    case (.binarySensor, .number(let number)), (.switch, .number(let number)):
      return number == 1 ? true : number == 0 ? false : nil
    case (.lock, .number(let number)): return Self.word(number, of: Self.lockWords)
    case (.cover, .number(let number)): return Self.word(number, of: Self.coverWords)
    default: return nil
    }
  }

  private static func word(_ number: Double, of words: [String]) -> Value? {
    guard let place = Int(exactly: number), words.indices.contains(place) else { return nil }
    return .text(words[place])
  }

  private static let lockWords = ["UNLOCKED", "LOCKED", "LOCKING", "UNLOCKING", "JAMMED"]
  private static let coverWords = ["closed", "open", "opening", "closing", "stopped"]

  /// A command's value as it goes to the board. The command was checked against ``property(_:)``.
  func argument(_ value: Value) throws(Rejection) -> LineForm.BridgeLine.Argument {
    switch (kind, value) {
    case (.button, _): return .none
    case (.switch, .boolean(let isOn)): return .number(isOn ? 1 : 0, decimals: 0)
    case (.lock, "LOCK"), (.cover, "OPEN"): return .number(1, decimals: 0)
    case (.lock, "UNLOCK"), (.cover, "CLOSE"): return .number(0, decimals: 0)
    case (.cover, "STOP"): return .number(2, decimals: 0)
    case (.select, .text(let word)):
      guard let place = options.firstIndex(of: word) else { break }
      return .number(Double(place), decimals: 0)
    case (.text, .text(let text)):
      guard text.utf8.count <= longest ?? 0 else {
        throw Rejection(
          .outOfRange, "\(key) takes at most \(longest ?? 0) bytes of UTF-8, not \(text.utf8.count)")
      }
      guard !text.utf8.contains(0) else { throw Rejection(.invalid, "\(key) takes no NUL character") }
      return .text(text)
    case (.number, .number(let number)): return try argument(number)
    default: break
    }
    throw Rejection(.invalid, "\(key) does not take \(value.briefly.excerpt)")
  }

  private func argument(_ number: Double) throws(Rejection) -> LineForm.BridgeLine.Argument {
    let decimals = decimals ?? 2
    let text = LineForm.text(of: number, decimals: decimals)
    guard let written = Double(text), (written - number).magnitude <= 1e-9 * max(1, number.magnitude) else {
      throw Rejection(.invalid, "\(key) takes at most \(decimals) decimals, not \(number)")
    }
    return .number(number, decimals: decimals)
  }
}

extension LineForm.Entity.Kind {
  var verbs: [Property.Verb] {
    switch self {
    case .switch, .number, .select, .button, .text, .lock, .cover: [.set]
    case .table: [.set, .put, .delete]
    case .sensor, .textSensor, .enumeration, .timestamp, .binarySensor, .event: []
    }
  }
}
