import DeviceModel
import HomeAssistant
import Testing

struct IdentityTests {
  private func isID(_ text: String) -> Bool {
    !text.isEmpty
      && text.unicodeScalars.allSatisfy {
        ("a"..."z").contains($0) || ("A"..."Z").contains($0) || ("0"..."9").contains($0) || $0 == "_"
          || $0 == "-"
      }
  }

  @Test func `a device with an id keeps it under another name`() throws {
    let power = Property("power", name: "Power", .switch(), verbs: [.set])
    for form in [DiscoverySettings.Form.device, .components] {
      let settings = DiscoverySettings.usual.with(form: form)
      let before = Discovery(of: [try .board("Plug", id: "plug", power)], settings: settings)
      let after = Discovery(of: [try .board("Stecker 🌻", id: "plug", power)], settings: settings)
      #expect(before.messages != after.messages)
      #expect(before.messages.map(\.topic) == after.messages.map(\.topic))
      #expect(before.record == after.record)
    }
  }

  @Test func `names are left as people wrote them`() throws {
    let name = "Männer-Garage ✨ / \"Nord\" + #1"
    let board = try DiscoverableDevice.board(name, Property("a", name: "Größe in m²", .sensor()))
    let discovery = Discovery(of: [board], settings: .usual)
    let payload = try discovery.payload(
      "homeassistant/device/sketch2mqtt_main_manner_garage_nord_1/config")
    #expect(try payload.members("device")["name"] == .text(name))
    #expect(try discovery.component("a", of: "manner_garage_nord_1")["name"] == "Größe in m²")
  }

  @Test(arguments: ["main", "küche", "a/b", "+", "#", "../x", "北", "two words"])
  func `whatever the bridge is called, ids have no other characters than Home Assistant takes`(
    bridge: String
  ) throws {
    var settings = DiscoverySettings.usual
    settings.bridge = bridge
    var device = try DiscoverableDevice.everyKind()
    device.description.properties += [
      Property("group/inner", name: "Inner", .sensor()), Property("wild+#key", name: "Wild", .sensor()),
    ]
    for form in [DiscoverySettings.Form.device, .components] {
      settings.form = form
      let discovery = Discovery(of: [device], settings: settings)
      #expect(discovery.problems.isEmpty)
      for message in discovery.messages {
        let segments = message.topic.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        #expect(segments.count == (form == .device ? 4 : 5))
        #expect(segments.allSatisfy(isID))
        guard case .object(let payload)? = message.payload else { throw Missing(name: message.topic) }
        let identifiers = try payload.members("device")["identifiers"]
        #expect(identifiers == [.text(segments[segments.count - (form == .device ? 2 : 3)])])
        let components =
          form == .device ? try payload.members("components").pairs : [("", .object(payload))]
        for (key, value) in components {
          guard case .object(let component) = value else { throw Missing(name: key) }
          #expect(isID(try component.text("unique_id")))
          if form == .device { #expect(isID(key)) }
        }
      }
    }
  }

  @Test func `a grouped key becomes one word, and its topic stays as it is`() throws {
    let board = try DiscoverableDevice.board(Property("presence/anna", name: "Anna", .binarySensor()))
    let bare = Discovery(of: [board], settings: .usual)
    let anna = try bare.component("presence_anna")
    #expect(anna["unique_id"] == "sketch2mqtt_main_garden_plug_presence_anna")
    #expect(anna["value_template"] == "{{ (value_json | default({})).get('presence/anna') }}")
  }

  @Test func `a key cannot leave its place in a template`() throws {
    let board = try DiscoverableDevice.board(Property("a') }}{{ x\\'\n", name: "A", .timestamp))
    let discovery = Discovery(of: [board], settings: .usual)
    let payload = try discovery.payload("homeassistant/device/sketch2mqtt_main_garden_plug/config")
    let component = try payload.members("components").members("a________x___")
    let template = #"{{ (value_json | default({})).get('a\') }}{{ x\\\'\n') }}"#
    #expect(component["value_template"] == .text(template))
  }

  @Test func `two entities that would have one unique id do not both go out`() throws {
    let plug = try DiscoverableDevice.board("Plug", Property("a_b", name: "AB", .sensor()))
    let other = try DiscoverableDevice.board(
      "Plug A", Property("b", name: "B", .sensor()), Property("c", name: "C", .sensor()))
    let discovery = Discovery(of: [plug, other], settings: .usual)
    #expect(try discovery.component("a_b", of: "plug")["name"] == "AB")
    #expect(throws: Missing.self) { try discovery.component("b", of: "plug_a") }
    #expect(try discovery.component("c", of: "plug_a")["name"] == "C")
    #expect(discovery.problems.map(\.device) == [other.id])
    #expect(
      discovery.problems.map(\.problem.reason) == [.identityTaken("sketch2mqtt_main_plug_a_b")])
  }

  @Test func `on two platforms one unique id is no clash`() throws {
    let plug = try DiscoverableDevice.board("Plug", Property("a_b", name: "AB", .sensor()))
    let other = try DiscoverableDevice.board("Plug A", Property("b", name: "B", .binarySensor()))
    #expect(Discovery(of: [plug, other], settings: .usual).problems.isEmpty)
  }
}
