import MQTT
import Testing

@Suite struct ServerAddressTests {
  @Test(arguments: [
    (ServerAddress(host: "localhost"), "mqtt://localhost:1883"),
    (ServerAddress(host: "broker.lan", usesTLS: true), "mqtts://broker.lan:8883"),
    (ServerAddress(host: "broker.lan", port: 443, usesTLS: true), "mqtts://broker.lan:443"),
    (ServerAddress(host: "fd00::1", port: 1885), "mqtt://[fd00::1]:1885"),
  ])
  func `an address is shown with its scheme and port`(address: ServerAddress, expected: String) {
    #expect(address.description == expected)
  }
}
