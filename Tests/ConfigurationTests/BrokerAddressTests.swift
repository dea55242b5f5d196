import Configuration
import DeviceModel
import Testing

/// `mqtt.server` in all its forms.
struct BrokerAddressTests {
  private func read(_ server: String) -> (Configuration?, [String]) {
    let quoted = server.replacing("\0", with: "\\0")
    let (configuration, problems) = Configuration.read(
      Array("mqtt: { server: \"\(quoted)\" }\n".utf8), file: "c.yaml", kinds: [])
    return (configuration, problems.map(\.description))
  }

  @Test(arguments: [
    ("mqtt://localhost:1883", "localhost", 1883, false),
    ("mqtt://broker.lan", "broker.lan", 1883, false),
    ("mqtts://broker.lan", "broker.lan", 8883, true),
    ("MQTTS://broker.lan:443/", "broker.lan", 443, true),
    ("broker", "broker", 1883, false),
    ("192.168.1.4:1884", "192.168.1.4", 1884, false),
    ("mqtt://[fd00::1]:1885", "fd00::1", 1885, false),
    ("[fe80::1%eth0]", "fe80::1%eth0", 1883, false),
    ("mqtt://my_host-2:65535", "my_host-2", 65535, false),
  ])
  func `an address is read`(text: String, host: String, port: Int, isSecure: Bool) throws {
    let server = try #require(read(text).0?.mqtt.servers.first)
    #expect(server.host == host && server.port == port && server.isSecure == isSecure)
  }

  @Test(arguments: [
    "ws://broker",
    "http://broker:1883",
    "mqtt://user:secret@broker",
    "",
    "mqtt://",
    "mqtt://:1883",
    "mqtt://[]:1883",
    "fd00::1",
    "mqtt://fd00::1:1883",
    "[fd00::1",
    "[fd00::1]1883",
    "my broker",
    "mqtt://broker/path",
    "bröker",
    "broker:",
    "broker:0",
    "broker:65536",
    "broker:+1883",
    "broker:18x3",
    "mqtt://broker:1883\0",
    String(repeating: "a", count: 254),
  ])
  func `what is not an address is refused where it stands`(text: String) {
    let (configuration, problems) = read(text)
    #expect(configuration == nil)
    #expect(problems.contains { $0.hasPrefix("c.yaml:1:17: mqtt.server: ") })
    #expect(!problems.contains { $0.contains("secret") })
  }
}
