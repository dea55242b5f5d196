import Adapters
import DeviceModel
import HomeAssistant
import Testing

/// What an owner's profile becomes in Home Assistant.
struct ProfileTests {
  private func description(_ properties: Value) throws -> DeviceDescription {
    var problems: [ConfigurationProblem] = []
    let options = Profile.schema.check(
      LocatedValue(["model": "Uno", "messages": ["r": ["pairs": [:]]], "properties": properties]), path: "",
      problems: &problems)
    let profile = Profile(options, problems: &problems)
    #expect(problems == [])
    return try #require(profile).description
  }

  private func component(_ key: String, _ property: Value) throws -> Value.Members {
    let slug = try #require(Slug(of: "garden_plug"))
    let device = DiscoverableDevice(
      id: try #require(DeviceID(slug)), name: "Garden plug",
      description: try description(.object([key: property])))
    let discovery = Discovery(of: [device], settings: .usual)
    #expect(discovery.problems.isEmpty, "\(discovery.problems)")
    return try discovery.component(key)
  }

  @Test func `a sensor has its unit, class and precision, and statistics`() throws {
    let sensor = try component(
      "outside_temperature", ["kind": "sensor", "unit": "°C", "class": "temperature", "precision": 1])
    #expect(sensor["platform"] == "sensor")
    #expect(sensor["name"] == "Outside temperature")
    #expect(sensor["unit_of_measurement"] == "°C" && sensor["device_class"] == "temperature")
    #expect(sensor["state_class"] == "measurement" && sensor["suggested_display_precision"] == 1)
    let energy = try component("e", ["kind": "sensor", "unit": "kWh", "class": "energy"])
    #expect(energy["state_class"] == nil)
  }

  @Test func `what the board tells is not assumed, what it does not tell is`() throws {
    let told = try component("a", ["kind": "switch", "from": "a", "set": "{value}"])
    // Among pairs there may be any name; nobody says that this is one of them.
    let silent = try component("a", ["kind": "switch", "set": "{value}"])
    #expect(silent["optimistic"] == true)
    #expect(told["platform"] == "switch" && told["optimistic"] != true)
    let assumed = try component("a", ["kind": "switch", "set": "{value}", "assumed": true])
    #expect(assumed["optimistic"] == true)
  }

  @Test func `numbers, selects, covers, locks and buttons take their commands`() throws {
    let number = try component(
      "n", ["kind": "number", "minimum": -5, "maximum": 5, "step": 0.5, "set": "{value}"])
    #expect(number["min"] == .number(-5) && number["max"] == .number(5) && number["step"] == 0.5)
    let select = try component(
      "s", ["kind": "select", "values": ["1": "slow", "2": "fast"], "set": "{value}"])
    #expect(select["options"] == ["slow", "fast"])
    let cover = try component(
      "c", ["kind": "cover", "class": "garage", "values": ["1": "open", "0": "closed"], "set": "{value}"])
    #expect(cover["platform"] == "cover" && cover["payload_close"] != .unknown)
    let lock = try component(
      "l", ["kind": "lock", "values": ["1": "LOCKED", "0": "UNLOCKED"], "set": "{value}"])
    #expect(lock["platform"] == "lock")
    let button = try component("b", ["kind": "button", "class": "restart", "set": "R", "main": true])
    #expect(button["platform"] == "button" && (button["name"] == .unknown || button["name"] == nil))
  }

  @Test func `a unit that does not fit its class is seen`() throws {
    let description = try description(["t": ["kind": "sensor", "unit": "C", "class": "temperature"]])
    #expect(Discovery.problems(in: description).count == 1)
  }
}
