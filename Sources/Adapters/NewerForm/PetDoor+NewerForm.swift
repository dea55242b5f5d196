import DeviceModel

extension PetDoor: ClassicForm {
  /// Its messages hold no mark of a line.
  var isMidRecord: Bool { false }
}

extension NewerForm {
  static let petDoor = NewerForm(
    classic: PetDoorProperty.description,
    additions: [
      Property(
        "light", name: "Light", .sensor(.init(stateClass: .measurement, precision: 0)),
        icon: "mdi:brightness-6", summary: "0 to 1023, more when it is lighter."),
      Property(
        "light_threshold", name: "Light threshold", .number(.init(0...1023)), verbs: [.set],
        category: .config,
        icon: "mdi:theme-light-dark", summary: "The door unlocks when it is lighter."),
      Property(
        "temperature_low", name: "Lowest temperature", .number(.init(-55...125), celsius), verbs: [.set],
        category: .config, summary: "The door locks when it is colder outside."),
      Property(
        "temperature_high", name: "Highest temperature", .number(.init(-55...125), celsius), verbs: [.set],
        category: .config, summary: "The door locks when it is hotter outside."),
      Property(
        "pet_home", name: "Pet", .binarySensor(deviceClass: "presence"), summary: "ON when it came in last."),
      Property(
        "passages_in", name: "Passages in", .sensor(passages), icon: "mdi:home-import-outline",
        summary: "Since the board's start."),
      Property(
        "passages_out", name: "Passages out", .sensor(passages), icon: "mdi:home-export-outline",
        summary: "Since the board's start."),
    ],
    eventTypes: ["passed_in", "passed_out"])

  private static let celsius = PropertyKind.Measurement(unit: "°C", deviceClass: "temperature")
  private static let passages = PropertyKind.Measurement(stateClass: .totalIncreasing, precision: 0)
}
