import DeviceModel
import HomeAssistant
import Testing

struct ProblemTests {
  private func problems(
    _ kind: PropertyKind, settable: Bool = true, category: Property.Category = .primary, icon: String? = nil
  ) -> [DiscoveryProblem.Reason] {
    let property = Property(
      "it", name: "It", kind, verbs: settable ? [.set] : [], category: category, icon: icon)
    return Discovery.problems(in: DeviceDescription(properties: [property])).map(\.reason)
  }

  private func problems(
    unit: String? = nil, class deviceClass: String? = nil,
    state: PropertyKind.Measurement.StateClass? = nil
  ) -> [DiscoveryProblem.Reason] {
    problems(.sensor(.init(unit: unit, deviceClass: deviceClass, stateClass: state)))
  }

  @Test func `every kind without a fault passes`() throws {
    #expect(Discovery.problems(in: try DiscoverableDevice.everyKind().description).isEmpty)
    for extra in DiscoverableDevice.Extra.allCases {
      #expect(Discovery.problems(in: DeviceDescription(properties: [extra.property])).isEmpty)
    }
  }

  @Test func `C is not °C`() {
    #expect(
      problems(unit: "C", class: "temperature")
        == [.unit("C", deviceClass: "temperature", allowed: ["°C", "°F", "K"])])
    #expect(problems(unit: "°C", class: "temperature").isEmpty)
  }

  @Test(arguments: [
    ("µg/m³", "pm25"), ("μg/m³", "pm25"), ("µA", "current"), ("μA", "current"), ("μs", "duration"),
    ("%", "battery"), ("m³", "water"), ("m/s", "wind_speed"), ("dBm", "signal_strength"),
    ("lx", "illuminance"),
    ("kWh", "energy"), ("EUR", "monetary"), ("fl. oz.", "volume"), ("inH₂O", "pressure"),
    ("BTU/(h⋅ft²)", "irradiance"), ("°", "wind_direction"),
  ])
  func `a unit that fits its class passes`(unit: String, deviceClass: String) {
    #expect(problems(unit: unit, class: deviceClass).isEmpty)
  }

  @Test(arguments: [
    ("m3", "water"), ("ug/m³", "pm25"), ("db", "sound_pressure"), ("kwh", "energy"),
    ("celsius", "temperature"),
    ("ppm", "aqi"), ("s", "timestamp"), ("h", "date"), ("°C ", "temperature"), ("V", "current"),
  ])
  func `a unit that does not fit its class is a problem`(unit: String, deviceClass: String) {
    let found = problems(unit: unit, class: deviceClass)
    guard found.count == 1, case .unit(unit, deviceClass, _) = found[0] else {
      Issue.record("\(found)")
      return
    }
  }

  @Test func `a class that needs a unit is not without one, and the other way round`() {
    #expect(
      problems(class: "humidity") == [.unit(nil, deviceClass: "humidity", allowed: ["%"])])
    #expect(problems(class: "ph").isEmpty)
    #expect(problems(class: "power_factor").isEmpty)
    #expect(problems(unit: "%", class: "power_factor").isEmpty)
  }

  @Test func `both characters for micro are published as all versions know them`() throws {
    for (unit, deviceClass, published) in [
      ("\u{3BC}g/m³", "pm25", "\u{B5}g/m³"), ("\u{B5}g/m³", "pm25", "\u{B5}g/m³"),
      ("\u{B5}A", "current", "\u{3BC}A"), ("\u{3BC}Sv/h", nil, "\u{B5}Sv/h"),
    ] as [(String, String?, String)] {
      let board = try DiscoverableDevice.board(
        Property("it", name: "It", .sensor(.init(unit: unit, deviceClass: deviceClass))))
      let component = try Discovery(of: [board], settings: .usual).component("it")
      let found = try component.text("unit_of_measurement")
      #expect(Array(found.unicodeScalars) == Array(published.unicodeScalars))
    }
  }

  @Test func `without a device class any unit passes but a blank one`() {
    #expect(problems(unit: "bananas").isEmpty)
    #expect(problems(unit: "m/s²").isEmpty)
    #expect(problems(unit: " ") == [.blankUnit])
    #expect(problems(unit: "") == [.blankUnit])
  }

  @Test func `a state class must fit the device class`() {
    #expect(
      problems(unit: "kWh", class: "energy", state: .measurement)
        == [.stateClass("measurement", deviceClass: "energy", allowed: ["total", "total_increasing"])])
    #expect(problems(unit: "kWh", class: "energy", state: .totalIncreasing).isEmpty)
    #expect(
      problems(class: "timestamp", state: .total)
        == [.stateClass("total", deviceClass: "timestamp", allowed: [])])
    #expect(problems(state: .totalIncreasing).isEmpty)
    #expect(problems(unit: "°C", class: "temperature", state: .measurement).isEmpty)
  }

  @Test func `a device class must exist for its platform`() {
    func isUnknown(_ found: [DiscoveryProblem.Reason], _ name: String) -> Bool {
      guard found.count == 1, case .unknownDeviceClass(name, let allowed) = found[0] else { return false }
      return !allowed.contains(name) && !allowed.isEmpty
    }
    #expect(isUnknown(problems(class: "temprature"), "temprature"))
    #expect(isUnknown(problems(class: "enum"), "enum"))
    #expect(isUnknown(problems(.number(.init(0...1), .init(deviceClass: "timestamp"))), "timestamp"))
    #expect(isUnknown(problems(.binarySensor(deviceClass: "temperature")), "temperature"))
    #expect(isUnknown(problems(.switch(deviceClass: "problem")), "problem"))
    #expect(isUnknown(problems(.button(deviceClass: "outlet")), "outlet"))
    #expect(isUnknown(problems(.cover(deviceClass: "Garage", canClose: true, canStop: true)), "Garage"))
    #expect(problems(.cover(deviceClass: "garage", canClose: true, canStop: true)).isEmpty)
  }

  @Test func `a number needs a range, a step and a unit that fits`() {
    var range = PropertyKind.NumberRange(0...10)
    range.maximum = -1
    #expect(problems(.number(range)) == [.range(minimum: 0, maximum: -1)])
    range.maximum = .infinity
    #expect(problems(.number(range)) == [.range(minimum: 0, maximum: .infinity)])
    #expect(problems(.number(.init(0...1, step: 0.0001))) == [.step(0.0001)])
    #expect(problems(.number(.init(0...1, step: 0.001))).isEmpty)
    #expect(problems(.number(.init(5...5))).isEmpty)
    #expect(
      problems(.number(.init(0...1), .init(unit: "C", deviceClass: "temperature")))
        == [.unit("C", deviceClass: "temperature", allowed: ["°C", "°F", "K"])])
  }

  @Test func `options are there, once each, and mean something`() {
    #expect(problems(.select([])) == [.noOptions])
    #expect(problems(.enumeration([])) == [.noOptions])
    #expect(problems(.select(["a", "b", "a"])) == [.repeatedOption("a")])
    #expect(problems(.select(["a", ""])) == [.option("")])
    let long = String(repeating: "x", count: 256)
    #expect(problems(.enumeration([long])) == [.option(long)])
    #expect(problems(.enumeration([String(repeating: "x", count: 255)])).isEmpty)
    // A select reads the word in any case as unknown, a sensor in this one only.
    #expect(problems(.select(["up", "none"])) == [.option("none")])
    #expect(problems(.enumeration(["up", "none"])).isEmpty)
    #expect(problems(.enumeration(["up", "None"])) == [.option("None")])
  }

  @Test func `what is only read is no setting`() {
    #expect(problems(.sensor(), category: .config) == [.categoryConfig])
    #expect(problems(.timestamp, category: .config) == [.categoryConfig])
    #expect(problems(.binarySensor(), category: .config) == [.categoryConfig])
    #expect(problems(.switch(), category: .config).isEmpty)
  }

  @Test(arguments: [
    PropertyKind.switch(), .number(.init(0...1)), .select(["a"]), .text(), .lock, .button(),
  ])
  func `what takes commands must be settable`(kind: PropertyKind) {
    #expect(problems(kind, settable: false) == [.notSettable])
    #expect(problems(kind).isEmpty)
  }

  @Test func `a text is as long as a state may be`() {
    #expect(problems(.text(maximumLength: 256)) == [.textLength(256)])
    #expect(problems(.text(maximumLength: 0)) == [.textLength(0)])
    #expect(problems(.text(maximumLength: 255)).isEmpty)
    #expect(problems(.text(pattern: "")) == [.emptyPattern])
  }

  @Test func `an icon has its set's name before it`() {
    #expect(problems(.sensor(), icon: "door") == [.icon("door")])
    #expect(problems(.sensor(), icon: "mdi:") == [.icon("mdi:")])
    #expect(problems(.sensor(), icon: "mdi:door").isEmpty)
  }

  @Test func `a tracker has a source type that Home Assistant knows`() {
    #expect(
      problems(.deviceTracker(sourceType: "ble"))
        == [.sourceType("ble", allowed: ["gps", "router", "bluetooth", "bluetooth_le"])])
  }

  @Test func `decimals are not negative`() {
    #expect(problems(.sensor(.init(precision: -1))) == [.negativePrecision(-1)])
  }

  @Test func `event types are there once each`() {
    let description = DeviceDescription(properties: [], eventTypes: ["opened", "opened", " "])
    let found = Discovery.problems(in: description)
    #expect(found.map(\.reason) == [.repeatedOption("opened"), .option(" ")])
    #expect(found.map(\.property) == [nil, nil])
  }

  @Test func `two keys that become one word are a problem of the second`() {
    let description = DeviceDescription(properties: [
      Property("presence/anna", name: "A", .sensor()), Property("presence_anna", name: "B", .sensor()),
    ])
    let found = Discovery.problems(in: description)
    #expect(found.map(\.property) == ["presence_anna"])
    #expect(found.map(\.reason) == [.keyTaken("presence_anna")])
  }

  @Test func `one bad entity is left out and named, the others live`() throws {
    let board = try DiscoverableDevice.board(
      Property("good", name: "Good", .sensor()),
      Property("bad", name: "Bad", .sensor(.init(unit: "C", deviceClass: "temperature"))),
      Property("fine", name: "Fine", .binarySensor()), events: [""])
    for form in [DiscoverySettings.Form.device, .components] {
      let discovery = Discovery(of: [board], settings: .usual.with(form: form))
      #expect(discovery.record.topics.count == (form == .device ? 2 : 4))
      #expect(discovery.problems.map(\.device) == [board.id, board.id])
      #expect(discovery.problems.map(\.problem.property) == ["bad", nil])
    }
    let discovery = Discovery(of: [board], settings: .usual)
    let payload = try discovery.payload("homeassistant/device/sketch2mqtt_main_garden_plug/config")
    #expect(try payload.members("components").names == ["good", "fine"])
  }

  @Test func `a problem says what was wrong and what was expected`() {
    let property = Property(
      "temperature", name: nil, .sensor(.init(unit: "C", deviceClass: "temperature")))
    let found = Discovery.problems(in: DeviceDescription(properties: [property]))
    #expect(
      found.map(\.description) == [
        "temperature: the unit 'C' does not fit the device class temperature, which takes "
          + "the unit '°C', the unit '°F', the unit 'K'"
      ])
  }
}
