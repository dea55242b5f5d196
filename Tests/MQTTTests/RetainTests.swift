import EventLoop
import MQTT
import TestSupport
import Testing

@Suite struct RetainTests {
  init() { #expect(LoopThread.started) }

  @Loop @Test(arguments: VersionPreference.both)
  func `what the broker replays is flagged`(version: VersionPreference) async throws {
    let broker = try await Mosquitto()
    let recorder = try await MQTTRecorder(port: broker.port)
    try await recorder.publish("OPEN", to: "door/set", retain: true)
    let fixture = ClientFixture(port: broker.port, version: version)
    fixture.client.subscribe(Subscription(try TopicFilter("door/set")))
    try await fixture.start()
    let message = try await fixture.handler.message(on: "door/set")
    #expect(message.isRetained)
    await fixture.client.stop()
  }

  @Loop @Test func `version 5 replays nothing when told so, at no connect`() async throws {
    var options = Mosquitto.Options()
    options.persistence = true
    let broker = try await Mosquitto(options)
    let recorder = try await MQTTRecorder(port: broker.port)
    try await recorder.publish("OPEN", to: "door/set", retain: true)
    let fixture = ClientFixture(port: broker.port, version: .only(.v5))
    fixture.client.subscribe(Subscription(try TopicFilter("door/set"), replay: .never))
    try await fixture.start()
    let seen = fixture.events.count
    try await broker.stop()
    try await broker.start()
    _ = try await fixture.handler.session(from: seen)
    let again = try await MQTTRecorder(port: broker.port)
    #expect(try await again.message(on: "door/set").isRetained)
    try await again.publish("now", to: "door/set")
    _ = try await fixture.handler.message(on: "door/set") { $0.text == "now" }
    let messages = fixture.events.all.filter { if case .received = $0 { true } else { false } }
    #expect(messages.count == 1)
    await fixture.client.stop()
  }

  @Loop @Test func `a live retained publish is flagged with version 5 when asked for`() async throws {
    let broker = try await Mosquitto()
    let recorder = try await MQTTRecorder(port: broker.port)
    let fixture = ClientFixture(port: broker.port, version: .only(.v5))
    fixture.client.subscribe(
      Subscription(try TopicFilter("flagged"), replay: .never, keepsRetainFlag: true))
    fixture.client.subscribe(Subscription(try TopicFilter("plain"), replay: .never))
    try await fixture.start()
    for topic in ["flagged", "plain"] { try await recorder.publish("OPEN", to: topic, retain: true) }
    let flagged = try await fixture.handler.message(on: "flagged")
    let plain = try await fixture.handler.message(on: "plain")
    #expect(flagged.isRetained)
    #expect(!plain.isRetained)
    await fixture.client.stop()
  }

  @Loop @Test func `a live retained publish cannot be told apart with 3_1_1`() async throws {
    let broker = try await Mosquitto()
    let recorder = try await MQTTRecorder(port: broker.port)
    let fixture = ClientFixture(port: broker.port, version: .only(.v311))
    fixture.client.subscribe(
      Subscription(try TopicFilter("flagged"), replay: .never, keepsRetainFlag: true))
    try await fixture.start()
    try await recorder.publish("OPEN", to: "flagged", retain: true)
    #expect(try await !fixture.handler.message(on: "flagged").isRetained)
    await fixture.client.stop()
  }

  @Loop @Test func `nothing is queued for a client that is away`() async throws {
    let broker = try await Mosquitto()
    let recorder = try await MQTTRecorder(port: broker.port)
    let fixture = ClientFixture(port: broker.port)
    fixture.client.subscribe(Subscription(try TopicFilter("door/set")))
    try await fixture.start()
    await fixture.client.stop()
    try await recorder.publish("OPEN", to: "door/set")
    try await fixture.start()
    try await recorder.publish("now", to: "door/set")
    #expect(try await fixture.handler.message(on: "door/set").text == "now")
    await fixture.client.stop()
  }

  @Loop @Test func `request properties arrive and go out with version 5`() async throws {
    let broker = try await Mosquitto()
    let recorder = try await MQTTRecorder(port: broker.port)
    let fixture = ClientFixture(port: broker.port, version: .only(.v5))
    fixture.client.subscribe(Subscription(try TopicFilter("request")))
    try await fixture.start()
    try await recorder.publish("?", to: "request", responseTopic: "answer", correlationData: [0, 1, 255])
    let request = try await fixture.handler.message(on: "request")
    #expect(request.properties.responseTopic == "answer")
    #expect(request.properties.correlationData == [0, 1, 255])
    let properties = MessageProperties(correlationData: [0, 1, 255], expirySeconds: 60)
    fixture.client.publish(text: "!", to: "answer", properties: properties)
    #expect(try await recorder.message(on: "answer").correlationData == [0, 1, 255])
    await fixture.client.stop()
  }

  @Loop @Test func `properties are left out with 3_1_1`() async throws {
    let broker = try await Mosquitto()
    let recorder = try await MQTTRecorder(port: broker.port)
    let fixture = ClientFixture(port: broker.port, version: .only(.v311))
    try await fixture.start()
    let properties = MessageProperties(correlationData: [1])
    #expect(fixture.client.publish(text: "!", to: "answer", properties: properties) == .accepted)
    #expect(try await recorder.message(on: "answer").correlationData == nil)
    await fixture.client.stop()
  }
}
