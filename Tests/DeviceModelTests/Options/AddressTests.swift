import DeviceModel
import Testing

struct `Addresses` {
  @Test(arguments: [
    "C0:DE:00:00:00:0A", "c0:de:00:00:00:0a", "C0-DE-00-00-00-0A", "c0_de_00_00_00_0a", "C0.DE.00.00.00.0A",
    "c0de0000000A",
  ])
  func `a Bluetooth address is read in any of its forms`(text: String) throws {
    let address = try #require(BluetoothAddress(text))
    #expect(address.bits == 0xC0DE_0000_000A)
    #expect(address.description == "C0:DE:00:00:00:0A")
  }

  @Test(arguments: [
    "", "C0:DE:00:00:00", "C0:DE:00:00:00:0A:0B", "C0:DE-00:00:00:0A", "G0:DE:00:00:00:0A", "C0DE0000000",
    "+0DE0000000A",
    "C0:DE:00:00:00: A", "C0:DE:00:00:00:-1", "C0/DE/00/00/00/0A", "Ｃ0:DE:00:00:00:0A",
  ])
  func `another text is no Bluetooth address`(text: String) {
    #expect(BluetoothAddress(text) == nil)
  }

  @Test(arguments: [
    ("plug.lan:230", "plug.lan", 230), ("192.168.1.4:1", "192.168.1.4", 1), ("[::1]:65535", "::1", 65535),
    ("[fe80::1%eth0]:80", "fe80::1%eth0", 80), ("my_plug-2:1883", "my_plug-2", 1883),
  ])
  func `host and port are read and written`(text: String, host: String, port: Int) throws {
    let address = try #require(HostPort(text))
    #expect(address.host == host)
    #expect(address.port == port)
    #expect(address.description == text)
  }

  @Test(arguments: [
    "", ":", "plug", "plug:", ":230", "plug:0", "plug:65536", "plug:-1", "plug:+1", "plug:2 ", "pl ug:1",
    "plug/:1", "a@b:1",
    "::1:230", "[::1]", "[::1]230", "[plug]:1", "[]:1", "[::1:230", "plug:99999999999999999999", "plüg:1",
    "a\0b:1",
  ])
  func `another text is no host and port`(text: String) {
    #expect(HostPort(text) == nil)
  }

  @Test func `a default port stands in for a missing one only`() {
    #expect(HostPort("plug", defaultPort: 1883)?.port == 1883)
    #expect(HostPort("plug:80", defaultPort: 1883)?.port == 80)
    #expect(HostPort("[::1]", defaultPort: 1883)?.description == "[::1]:1883")
    #expect(HostPort("plug:", defaultPort: 1883) == nil)
  }

  @Test(arguments: [
    (Duration.milliseconds(500), "500ms"), (.milliseconds(1500), "1500ms"), (.seconds(10), "10s"),
    (.seconds(90), "90s"),
    (.seconds(300), "5m"), (.seconds(3600), "1h"), (.zero, "0s"),
  ])
  func `a duration is written as it is read`(duration: Duration, text: String) {
    #expect(duration.configurationText == text)
    #expect(Duration(configurationText: text) == duration)
  }
}
