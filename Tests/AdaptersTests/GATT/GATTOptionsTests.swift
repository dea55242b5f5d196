import DeviceModel
import Testing

@testable import Adapters

struct `A GATT device's options` {
  @Test func `a characteristic of the standard needs its number only`() throws {
    let description = try Self.description(["characteristics": [["characteristic": "2A6E"]]])
    let property = try #require(description["temperature"])
    #expect(property.name == "Temperature")
    guard case .sensor(let measurement) = property.kind else {
      Issue.record("\(property.kind)")
      return
    }
    #expect(measurement.unit == "°C")
    #expect(measurement.deviceClass == "temperature")
    #expect(measurement.precision == 2)
  }

  @Test func `what can be written is a number, a switch or a text`() throws {
    let description = try Self.description([
      "characteristics": [
        [
          "characteristic": "FF01", "name": "Level", "format": "uint8", "writable": true, "minimum": 1,
          "maximum": 9, "step": 2, "unit": "%",
        ],
        ["characteristic": "FF02", "name": "Lamp", "format": "bit", "writable": true],
        ["characteristic": "FF03", "key": "label", "name": "Name on it", "format": "utf8", "writable": true],
        ["characteristic": "FF04", "name": "Door", "format": "bit", "class": "door"],
        ["characteristic": "FF05", "name": "Note", "format": "utf8", "category": "diagnostic"],
      ]
    ])
    #expect(description.properties.map(\.key) == ["level", "lamp", "label", "door", "note"])
    #expect(description.properties.map(\.isSettable) == [true, true, true, false, false])
    #expect(
      description["level"]?.kind
        == .number(
          .init(1...9, step: 2), .init(unit: "%", stateClass: .measurement)))
    #expect(description["lamp"]?.kind == .switch())
    #expect(description["label"]?.kind == .text())
    #expect(description["door"]?.kind == .binarySensor(deviceClass: "door"))
    #expect(description["note"]?.kind == .sensor())
    #expect(description["note"]?.category == .diagnostic)
  }

  @Test func `a wrong declaration is named`() {
    for (wrong, word) in [
      ([:], "nothing is declared"), (["services": ["weather"]], "services"),
      (["characteristics": [["characteristic": "FF01", "name": "X"]]], "format"),
      (["characteristics": [["characteristic": "FF01", "format": "uint8"]]], "name"),
      (["characteristics": [["name": "X", "format": "uint8"]]], "characteristic"),
      (["characteristics": [["characteristic": "FF0", "name": "X", "format": "uint8"]]], "UUID"),
      (["characteristics": [["characteristic": "FF01", "name": "X", "format": "uint9"]]], "uint8"),
      (
        ["characteristics": [["characteristic": "FF01", "name": "X", "format": "uint8", "scale": 0]]], "scale"
      ),
      (["characteristics": [["characteristic": "FF01", "name": "!", "format": "uint8"]]], "key"),
      (["characteristics": [["characteristic": "FF01", "key": "set", "format": "uint8"]]], "key"),
      (
        ["characteristics": [["characteristic": "FF01", "name": "X", "format": "uint8", "writable": true]]],
        "minimum"
      ),
      (
        ["services": ["battery"], "characteristics": [["characteristic": "2A19"]]], "taken"
      ),
    ] as [(Value, String)] {
      var problems: [ConfigurationProblem] = []
      let options = GATT.kind.options.check(LocatedValue(wrong), path: "options", problems: &problems)
      if problems.isEmpty { _ = GATT.kind.makeAdapter(options, &problems) }
      #expect(problems.contains { "\($0)".contains(word) }, "\(wrong): \(problems)")
    }
  }

  @Test func `the table of the standard is sound`() {
    let all = StandardCharacteristic.all
    #expect(Set(all.map(\.uuid)).count == all.count)
    #expect(Set(all.map(\.key)).count == all.count)
    for standard in all {
      #expect(PropertyKey(standard.key) != nil, "\(standard.key)")
      #expect(AssignedNumbers.name(of: standard.uuid) != nil, "\(standard.key)")
    }
    for service in StandardService.allCases {
      #expect(AssignedNumbers.name(of: service.uuid) != nil, "\(service)")
    }
  }

  private static func description(_ options: Value) throws -> DeviceDescription {
    var problems: [ConfigurationProblem] = []
    let checked = GATT.kind.options.check(LocatedValue(options), path: "options", problems: &problems)
    let adapter = GATT.kind.makeAdapter(checked, &problems)
    #expect(problems.isEmpty)
    return try #require(adapter).description
  }
}
