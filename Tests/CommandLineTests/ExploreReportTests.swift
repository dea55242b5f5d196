import DeviceModel
import JSON
import Testing

@testable import sketch2mqtt

struct `What scan and explore show` {
  @Test func `who was heard stands in columns, the strongest first`() throws {
    let answer = try JSON.parse(
      """
      {"devices": [
        {"address": "C0:DE:00:00:00:11", "name": "Weather", "rssi": -40, "services": ["180f", "f0c10000-7a2b-4d5e-9b1c-2f6a8e3d4c5b"]},
        {"address": "C0:DE:00:00:00:13", "name": null, "rssi": -60, "services": [],
         "beacon": {"format": "ibeacon", "identity": "e2c56db5-dffb-48d2-b060-d0f5a71096e0:1:2"}},
        {"address": "C0:DE:00:00:00:14", "name": "A name\\u001b[31m that is far too long for its column", "rssi": null,
         "services": [], "manufacturer_data": {"0059": "01"}}]}
      """)
    let lines = ScanReport(answer).lines(isStyled: false)
    #expect(
      lines == [
        "ADDRESS            RSSI  NAME                      WHAT IT SAYS",
        "C0:DE:00:00:00:11   -40  Weather                   180f Battery, f0c10000-7a2b-…",
        "C0:DE:00:00:00:13   -60                            ibeacon",
        "  e2c56db5-dffb-48d2-b060-d0f5a71096e0:1:2",
        "C0:DE:00:00:00:14        A name.[31m that is far…  company 0059",
        "", "3 devices",
      ])
    #expect(lines.allSatisfy { $0.count <= 80 })
    #expect(ScanReport(answer).lines(isStyled: true)[0].hasPrefix("\u{1B}[1m"))
    #expect(ScanReport(["devices": []]).lines(isStyled: false) == ["nobody was heard"])
  }

  @Test func `a board's services stand with what can be done and what is there`() throws {
    let answer = try JSON.parse(
      """
      {"address": "C0:DE:00:00:00:11", "name": "Weather", "rssi": -60, "mtu": 23, "services": [
        {"uuid": "181a", "name": "Environmental Sensing", "characteristics": [
          {"uuid": "2a6e", "name": "Temperature", "properties": ["read", "notify"], "value": "6608", "encryption": [],
           "descriptors": [{"uuid": "2902", "name": "Client Configuration", "value": "0000"},
                           {"uuid": "2901", "name": "User Description", "value": "6f757473696465"}]}]},
        {"uuid": "f0c10000-7a2b-4d5e-9b1c-2f6a8e3d4c5b", "name": null, "characteristics": [
          {"uuid": "f0c10003-7a2b-4d5e-9b1c-2f6a8e3d4c5b", "name": null, "properties": ["read"], "value": null,
           "encryption": ["read"], "descriptors": []},
          {"uuid": "f0c10004-7a2b-4d5e-9b1c-2f6a8e3d4c5b", "name": null, "properties": ["write-without-response"],
           "encryption": [], "descriptors": []}]}]}
      """)
    let lines = BoardReport(answer).lines(isStyled: false)
    #expect(
      lines == [
        "C0:DE:00:00:00:11  Weather  -60 dBm  MTU 23",
        "",
        "181a  Environmental Sensing",
        "  2a6e  Temperature             read notify  6608",
        "    2902  Client Configuration               0000",
        "    2901  User Description                   'outside'",
        "",
        "f0c10000-7a2b-4d5e-9b1c-2f6a8e3d4c5b",
        "  f0c10003-7a2b-4d5e-9b1c-2f6a8e3d4c5b  read*    * when paired",
        "  f0c10004-7a2b-4d5e-9b1c-2f6a8e3d4c5b  command",
      ])
    #expect(lines.allSatisfy { $0.count <= 80 })
  }

  @Test(arguments: ["null", "[]", "{}", #"{"devices": 1, "services": [1]}"#])
  func `an answer of another form shows little, and harms nobody`(text: String) throws {
    let answer = try JSON.parse(text)
    #expect(ScanReport(answer).lines(isStyled: false) == ["nobody was heard"])
    #expect(BoardReport(answer).lines(isStyled: false).count <= 3)
  }
}
