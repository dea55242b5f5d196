import DeviceModel

extension LineForm {
  /// One entity as its board describes it.
  struct Entity: Hashable, Sendable {
    var index: Int
    /// Nil for one that this version does not know.
    var kind: Kind?
    var key: String
    /// Empty for the board's main entity.
    var name: String
    var unit: String?
    var deviceClass: String?
    var stateClass: PropertyKind.Measurement.StateClass?
    var decimals: Int?
    var range: PropertyKind.NumberRange?
    /// Words, or types of event.
    var options: [String] = []
    /// Of a text, or of a table's row, in bytes.
    var longest: Int?
    /// Places of a table, 1 to 32.
    var rows: Int?
    var icon: String?
    var category = Property.Category.primary
    var isAssumed = false
    var isDisabled = false
    var canClose = false
    var canStop = false
    /// As it came, the letter included.
    var body: [UInt8]

    enum Kind: UInt8, Hashable, Sendable, CaseIterable {
      case sensor = 0x73
      case textSensor = 0x74
      case enumeration = 0x6B
      case timestamp = 0x69
      case binarySensor = 0x62
      case `switch` = 0x77
      case number = 0x6E
      case select = 0x6F
      case button = 0x70
      case text = 0x78
      case table = 0x6A
      case event = 0x65
      case lock = 0x6C
      case cover = 0x63
    }
  }
}

extension LineForm.Entity {
  /// - Parameter body: The whole, with its letter.
  init(_ body: [UInt8]) throws(LineForm.Malformation) {
    let fields = LineForm.fields(body.dropFirst())
    guard let index = LineForm.small(fields[0], digits: 2, limit: LineForm.mostEntities - 1) else {
      throw .malformed("a description begins with the entity's index")
    }
    guard fields.count >= 3 else {
      throw .malformed("entity \(index) has three fields, not \(fields.count)")
    }
    self.index = index
    self.body = body
    guard let text = String(validating: fields[1], as: UTF8.self), let letter = text.unicodeScalars.first,
      let slug = Slug(exactly: String(text.unicodeScalars.dropFirst()))
    else {
      throw .malformed("entity \(index): a kind's letter and a key are expected, [a-z0-9_], 64 at most")
    }
    kind = UInt8(exactly: letter.value).flatMap(Kind.init)
    key = slug.text
    name = try LineForm.unescaped(fields[2], "\(key)'s name")
    for attribute in fields[3...] { try take(attribute) }
    try check()
  }

  private mutating func take(_ attribute: ArraySlice<UInt8>) throws(LineForm.Malformation) {
    guard let letter = attribute.first else { return }
    let value = attribute.dropFirst()
    let text = try LineForm.unescaped(value, "an attribute of \(key)")
    switch Unicode.Scalar(letter) {
    case "u": unit = text
    case "c": deviceClass = text
    case "i": icon = text
    case "s":
      let classes: [String: PropertyKind.Measurement.StateClass] = [
        "m": .measurement, "t": .total, "i": .totalIncreasing,
      ]
      stateClass = classes[text] ?? stateClass
    case "g":
      let categories: [String: Property.Category] = ["c": .config, "d": .diagnostic]
      category = categories[text] ?? category
    case "p":
      guard let number = LineForm.small(value, limit: 6) else {
        throw .malformed("\(key) has 0 to 6 decimals, not \(text.excerpt)")
      }
      decimals = number
    case "l":
      guard let number = LineForm.small(value, limit: 200), number > 0 else {
        throw .malformed("\(key)'s longest text has 1 to 200 bytes, not \(text.excerpt)")
      }
      longest = number
    case "n":
      guard let number = LineForm.small(value, limit: LineForm.mostRows), number > 0 else {
        throw .malformed("\(key) has 1 to \(LineForm.mostRows) rows, not \(text.excerpt)")
      }
      rows = number
    case "r": range = try range(value)
    case "o": options.append(text)
    case "a": isAssumed = true
    case "x": isDisabled = true
    case "k": canClose = true
    case "h": canStop = true
    default: break
    }
  }

  private func range(_ value: ArraySlice<UInt8>) throws(LineForm.Malformation) -> PropertyKind.NumberRange {
    let numbers = value.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
      .map(LineForm.number)
    guard numbers.count == 3, let minimum = numbers[0], let maximum = numbers[1], let step = numbers[2],
      minimum < maximum, step > 0
    else { throw .malformed("\(key)'s range is minimum:maximum:step") }
    return PropertyKind.NumberRange(minimum...maximum, step: step)
  }

  private func check() throws(LineForm.Malformation) {
    switch kind {
    case .number where range == nil: throw .malformed("\(key) is a number without range")
    case .select where options.isEmpty, .enumeration where options.isEmpty:
      throw .malformed("\(key) has no options")
    case .event where options.isEmpty: throw .malformed("\(key) is an event without types")
    case .text where longest == nil, .textSensor where longest == nil:
      throw .malformed("\(key) is a text without length")
    case .table where longest == nil || rows == nil:
      throw .malformed("\(key) is a table without its rows or the longest of them")
    default: break
    }
    guard Set(options).count == options.count else { throw .malformed("\(key) has an option twice") }
  }
}
