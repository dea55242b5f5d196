import DeviceModel
import HomeAssistant
import Testing

@testable import Adapters

struct `What a board describes, as Home Assistant is told` {
  @Test(arguments: [DiscoverySettings.Form.device, .components])
  func `every kind of entity is announced, and none has a problem`(form: DiscoverySettings.Form) throws {
    let descriptions = [
      "d0|stemperature|Temperature|u°C|ctemperature|sm|p1", "d1|tphase|Phase|l12",
      "d2|kwind|Wind|ocalm|obreeze|ostorm", "d3|inext_watering|Next watering|gd", "d4|bwindow|Window|cwindow",
      "d5|wpump|Pump", "d6|ntarget|Target temperature|r5:30:0.5|u°C|p1|gc",
      "d7|omode|Mode|oautomatic|omanual|oaway", "d8|pwater|Water now|imdi:watering-can",
      "d9|xmessage|Message|l16", "d10|ebell|Bell|oshort|olong|cdoorbell", "d11|ldoor|Door",
      "d12|croof|Roof|cwindow|k|h", "d13|cvent|Vent|a|x", "d14|jtimers|Timers|n4|l40",
    ].map { Array($0.utf8) }
    let hello = try LineForm.Hello(Array("h1|fa8d5281|3fa9c210+|48|15|Greenhouse|mUNO|v1.0".utf8))
    let board = LineForm.Board(hello, descriptions: descriptions)
    #expect(board.problems.isEmpty)
    let slug = try #require(Slug(of: "Greenhouse"))
    let device = DiscoverableDevice(
      id: try #require(DeviceID(slug)), name: "Greenhouse", description: board.description)
    let discovery = Discovery(of: [device], settings: .usual.with(form: form))
    #expect(discovery.problems.isEmpty)
    let text = discovery.messages.map { "\($0)" }.joined()
    for entity in board.entities.values where entity.kind != .table {
      #expect(text.contains("sketch2mqtt_main_greenhouse_\(entity.key)"), "\(entity.key)")
    }
  }

  @Test func `a unit that does not fit costs its entity alone`() throws {
    let hello = try LineForm.Hello(Array("h1|fa8d5281||48|2|Odd".utf8))
    let board = LineForm.Board(
      hello, descriptions: ["d0|sa|A|uC|ctemperature", "d1|wb|B"].map { Array($0.utf8) })
    let slug = try #require(Slug(of: "Odd"))
    let device = DiscoverableDevice(
      id: try #require(DeviceID(slug)), name: "Odd", description: board.description)
    let discovery = Discovery(of: [device], settings: .usual)
    #expect(discovery.problems.count == 1)
    #expect("\(discovery.messages)".contains("sketch2mqtt_main_odd_b"))
  }
}
