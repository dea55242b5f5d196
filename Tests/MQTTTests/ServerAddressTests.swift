import MQTT
import Testing

@Suite struct ServerAddressTests {
  @Test(arguments: [
    ("mqtt://localhost:1883", ServerAddress(host: "localhost", port: 1883)),
    ("mqtt://broker.lan", ServerAddress(host: "broker.lan", port: 1883)),
    ("mqtts://broker.lan", ServerAddress(host: "broker.lan", port: 8883, usesTLS: true)),
    ("MQTTS://broker.lan:443/", ServerAddress(host: "broker.lan", port: 443, usesTLS: true)),
    ("broker", ServerAddress(host: "broker", port: 1883)),
    ("192.168.1.4:1884", ServerAddress(host: "192.168.1.4", port: 1884)),
    ("mqtt://[fd00::1]:1885", ServerAddress(host: "fd00::1", port: 1885)),
    ("[fe80::1%eth0]", ServerAddress(host: "fe80::1%eth0", port: 1883)),
    ("mqtt://my_host-2:65535", ServerAddress(host: "my_host-2", port: 65535)),
  ])
  func `an address is read`(text: String, expected: ServerAddress) throws {
    #expect(try ServerAddress(parsing: text) == expected)
  }

  @Test(arguments: [
    ("ws://broker", ServerAddressError.unknownScheme("ws")),
    ("http://broker:1883", .unknownScheme("http")),
    ("mqtt://user:secret@broker", .containsCredentials),
    ("", .missingHost),
    ("mqtt://", .missingHost),
    ("mqtt://:1883", .missingHost),
    ("mqtt://[]:1883", .missingHost),
    ("fd00::1", .missingBracket),
    ("mqtt://fd00::1:1883", .missingBracket),
    ("[fd00::1", .missingBracket),
    ("[fd00::1]1883", .unexpectedCharacter("1")),
    ("my broker", .unexpectedCharacter(" ")),
    ("mqtt://broker/path", .unexpectedCharacter("/")),
    ("bröker", .unexpectedCharacter("ö")),
    ("broker:", .invalidPort("")),
    ("broker:0", .invalidPort("0")),
    ("broker:65536", .invalidPort("65536")),
    ("broker:+1883", .invalidPort("+1883")),
    ("broker:18x3", .invalidPort("18x3")),
    ("mqtt://broker:1883\0", .invalidPort("1883\0")),
    (String(repeating: "a", count: 254), .hostTooLong),
  ])
  func `what is not an address is refused with its reason`(text: String, expected: ServerAddressError) {
    #expect(throws: expected) { try ServerAddress(parsing: text) }
  }

  @Test(arguments: ["mqtt://localhost:1883", "mqtts://broker.lan:8883", "mqtt://[fd00::1]:1885"])
  func `an address is written as it is read`(text: String) throws {
    #expect(try ServerAddress(parsing: text).description == text)
  }
}
