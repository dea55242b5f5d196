import DeviceModel

/// How one characteristic is declared in the configuration.
enum AttributeSchema {
  static let entry = OptionSchema([
    OptionField(
      "characteristic", .rule(.bluetoothUUID), .required,
      summary: "Its UUID; one of the standard, such as 2A19, needs nothing else."),
    OptionField(
      "service", .rule(.bluetoothUUID),
      summary: "The service that it belongs to, where several have the same characteristic."),
    .text("name", maximum: 60, summary: "What Home Assistant shows."),
    .text("key", maximum: 64, summary: "Its key in the state and in topics; the name's slug when left out."),
    .choice("format", AttributeFormat.words.map(\.word), summary: "How its bytes are a value."),
    .integer("at", 0...511, default: 0, summary: "Where the value begins, in bytes."),
    .integer("bit", 0...4095, default: 0, summary: "Of format bit: which, from the lowest of the byte."),
    .number("scale", -1e9...1e9, summary: "What the number is multiplied with."),
    .number("offset", -1e9...1e9, default: 0, summary: "What is added to it then."),
    .text("unit", maximum: 20, summary: "As Home Assistant writes it: °C, %, hPa."),
    .text("class", maximum: 40, summary: "The device class of Home Assistant: temperature, battery, door."),
    .choice(
      "update", DeclaredCharacteristic.Update.words.map(\.0), default: "auto",
      summary:
        "auto: notified where the board does, else polled; connect: once in each connection; poll; notify."),
    .boolean("writable", default: false, summary: "Whether it can be set: a number, a switch, a text."),
    .number("minimum", -1e12...1e12, summary: "Of a writable number."),
    .number("maximum", -1e12...1e12, summary: "Of a writable number."),
    .number("step", 0.001...1e9, default: 1, summary: "Of a writable number."),
    .choice(
      "category", ["primary", "config", "diagnostic"], default: "primary", summary: "Where it is shown."),
    .text("icon", maximum: 60, summary: "A Material Design icon, mdi:flask."),
  ])

  typealias Declared = (id: AttributeID, entity: AttributeEntity, update: DeclaredCharacteristic.Update)

  /// Nil for what cannot be; the reason is among the problems.
  static func read(_ options: Options, problems: inout [ConfigurationProblem]) -> Declared? {
    guard let characteristic = options.text("characteristic").flatMap({ BluetoothUUID($0) }) else {
      return nil
    }
    let service = options.text("service").flatMap { BluetoothUUID($0) }
    // Who says how the bytes are a value knows better than the standard what it means.
    let standard = options.isWritten("format") ? nil : StandardCharacteristic.named(characteristic)
    guard let format = options.text("format").flatMap({ AttributeFormat($0) }) ?? standard?.format else {
      problems.append(
        options.problem(
          "no format, and \(characteristic.short) is none of the known characteristics", at: "characteristic",
          expectation: "a 'format' beside it"))
      return nil
    }
    guard let key = key(options, standard, problems: &problems) else { return nil }
    let kind = kind(options, format, standard, problems: &problems)
    let isWritable = options.boolean("writable") ?? false
    let property = Property(
      key, name: options.text("name") ?? standard?.name ?? key.text, kind, verbs: isWritable ? [.set] : [],
      category: options.text("category").flatMap { Property.Category(rawValue: $0) } ?? .primary,
      icon: options.text("icon"), summary: "Declared in the configuration.")
    let scale = options.number("scale") ?? standard?.scale ?? 1
    if scale == 0 { problems.append(options.problem("a scale of 0 leaves nothing", at: "scale")) }
    let entity = AttributeEntity(
      property: property, format: format, place: options.integer("at") ?? 0, bit: options.integer("bit") ?? 0,
      scale: scale, offset: options.number("offset") ?? 0,
      unknown: standard?.unknown, isWritable: isWritable)
    let update =
      DeclaredCharacteristic.Update.words.first { $0.0 == options.text("update") }?.1 ?? .automatic
    return (AttributeID(characteristic, of: service), entity, update)
  }

  private static func key(
    _ options: Options, _ standard: StandardCharacteristic?, problems: inout [ConfigurationProblem]
  ) -> PropertyKey? {
    if let key = options.text("key") {
      if let key = PropertyKey(key) { return key }
      problems.append(
        options.problem("\(options.quoted("key")) cannot be a key", at: "key", expectation: "a-z, 0-9 and _"))
      return nil
    }
    if let name = options.text("name") {
      if let slug = Slug(of: name), let key = PropertyKey(slug.text) { return key }
      problems.append(
        options.problem("no key can be made of the name", at: "name", expectation: "a 'key' beside it"))
      return nil
    }
    if let standard { return PropertyKey(standard.key) }
    problems.append(
      options.problem(
        "a characteristic without a name", at: "characteristic", expectation: "a 'name' beside it"))
    return nil
  }

  private static func kind(
    _ options: Options, _ format: AttributeFormat, _ standard: StandardCharacteristic?,
    problems: inout [ConfigurationProblem]
  ) -> PropertyKind {
    let isWritable = options.boolean("writable") ?? false
    let deviceClass = options.text("class") ?? (options.isWritten("unit") ? nil : standard?.deviceClass)
    switch format {
    case .bit: return isWritable ? .switch(deviceClass: deviceClass) : .binarySensor(deviceClass: deviceClass)
    case .text: return isWritable ? .text() : .sensor()
    default: break
    }
    let isWhole = (options.number("scale") ?? standard?.scale ?? 1).truncatingRemainder(dividingBy: 1) == 0
    let measurement = PropertyKind.Measurement(
      unit: options.text("unit") ?? standard?.unit, deviceClass: deviceClass, stateClass: .measurement,
      precision: standard?.decimals ?? (isWhole ? nil : 2))
    guard isWritable else { return .sensor(measurement) }
    guard let minimum = options.number("minimum"), let maximum = options.number("maximum"), minimum < maximum
    else {
      problems.append(
        options.problem(
          "a number that can be set needs its bounds", at: "writable",
          expectation: "a 'minimum' below a 'maximum' beside it"))
      return .sensor(measurement)
    }
    return .number(.init(minimum...maximum, step: options.number("step") ?? 1), measurement)
  }
}
