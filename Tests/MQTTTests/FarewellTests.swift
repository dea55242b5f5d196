import EventLoop
import MQTT
import TestSupport
import Testing

@Suite struct FarewellTests {
  init() { #expect(LoopThread.started) }

  private static let will = Publication(topic: "state", text: "cut off", retain: true)
  private static let farewell = Publication(topic: "state", text: "offline", retain: true)

  @Loop @Test(arguments: VersionPreference.both)
  func `a stop publishes the last words and no will follows`(version: VersionPreference) async throws {
    let broker = try await Mosquitto()
    let recorder = try await MQTTRecorder(port: broker.port)
    let fixture = ClientFixture(port: broker.port, version: version) { $0.will = Self.will }
    try await fixture.start()
    #expect(await fixture.client.stop(saying: [Self.farewell], within: .seconds(60)))
    #expect(!fixture.client.isConnected)
    #expect(fixture.events.all.last == .disconnected(.stopped, retries: false))
    // The broker has seen the end of the connection once it has logged it.
    try await broker.log?.first { $0.contains("Client bridge") && $0.contains("disconnected") }
    try await recorder.publish("after", to: "after")
    try await recorder.message(on: "after")
    #expect(recorder.messages.all.map(\.text) == ["offline", "after"])
    #expect(recorder.messages.all[0].isRetained)
  }

  @Loop @Test(arguments: VersionPreference.both)
  func `a connection cut without a goodbye leaves the will`(version: VersionPreference) async throws {
    let broker = try await Mosquitto()
    let recorder = try await MQTTRecorder(port: broker.port)
    var fixture: ClientFixture? = ClientFixture(port: broker.port, version: version) { $0.will = Self.will }
    try await fixture?.start()
    fixture = nil
    let message = try await recorder.message(on: "state")
    #expect(message.text == "cut off")
    #expect(message.isRetained)
  }

  @Loop @Test func `a stop does not wait for a frozen broker for ever`() async throws {
    let broker = try await Mosquitto()
    let fixture = ClientFixture(port: broker.port)
    try await fixture.start()
    broker.freeze()
    #expect(await !fixture.client.stop(saying: [Self.farewell], within: .milliseconds(200)))
    #expect(!fixture.client.isConnected)
    try await broker.kill()
  }

  @Loop @Test func `a stop while connecting ends the attempt`() async throws {
    let mute = try ScriptedServer { _ in .nothing }
    let fixture = ClientFixture(port: mute.port) { $0.connectDeadline = .seconds(60) }
    fixture.client.start()
    try await mute.received.first()
    #expect(await !fixture.client.stop(saying: [Self.farewell]))
    #expect(fixture.events.all == [.disconnected(.stopped, retries: false)])
  }

  @Loop @Test func `a client starts again after a stop`() async throws {
    let broker = try await Mosquitto()
    let fixture = ClientFixture(port: broker.port)
    fixture.client.subscribe(Subscription(try TopicFilter("in")))
    try await fixture.start()
    await fixture.client.stop()
    try await fixture.start()
    let recorder = try await MQTTRecorder(port: broker.port)
    try await recorder.publish("1", to: "in")
    _ = try await fixture.handler.message(on: "in")
    await fixture.client.stop()
  }
}
