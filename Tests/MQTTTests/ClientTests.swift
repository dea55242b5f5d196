import EventLoop
import MQTT
import TestSupport
import Testing

@Suite struct ClientTests {
  init() { #expect(LoopThread.started) }

  @Loop @Test(arguments: VersionPreference.both)
  func `a client publishes and receives`(version: VersionPreference) async throws {
    let broker = try await Mosquitto()
    let recorder = try await MQTTRecorder(port: broker.port)
    let fixture = ClientFixture(port: broker.port, version: version)
    fixture.client.subscribe(Subscription(try TopicFilter("in/+")))
    try await fixture.start()

    #expect(fixture.client.publish(text: "hello", to: "out/state", retain: true) == .accepted)
    let seen = try await recorder.message(on: "out/state")
    #expect(seen.text == "hello")
    #expect(seen.qos == 1)

    try await recorder.publish("there", to: "in/one")
    let message = try await fixture.handler.message(on: "in/one")
    #expect(message.text == "there")
    #expect(!message.isRetained)
    await fixture.client.stop()
    try await broker.stop()
  }
}
