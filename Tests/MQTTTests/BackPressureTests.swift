import EventLoop
import MQTT
import TestSupport
import Testing

@Suite struct BackPressureTests {
  init() { #expect(LoopThread.started) }

  @Loop @Test(arguments: [QualityOfService.atMostOnce, .atLeastOnce])
  func `a frozen broker fills the queue and no more, and room is told when it thaws`(
    qos: QualityOfService
  ) async throws {
    let broker = try await Mosquitto()
    let fixture = ClientFixture(port: broker.port) {
      $0.outgoingLimit = 100
      $0.keepAlive = .seconds(60)
    }
    try await fixture.start()
    broker.freeze()
    let payload = [UInt8](repeating: 0x61, count: 100_000)
    var results: [PublishResult] = []
    for _ in 0..<1000 {
      results.append(fixture.client.publish(payload, to: "out", qos: qos))
      if results.last == .full { break }
    }
    #expect(results.last == .full)
    #expect(!fixture.client.hasRoom)
    #expect(fixture.client.counters.queued == 100)
    #expect(fixture.client.publish(payload, to: "out", qos: qos) == .full)
    #expect(fixture.client.counters.refused == 2)
    broker.thaw()
    try await fixture.events.first { $0 == .noticed(.hasRoom) }
    #expect(fixture.client.hasRoom)
    await fixture.client.stop()
  }

  @Loop @Test func `what was sent and not acknowledged is sent again, ahead of what is newer`() async throws {
    let port = FreePort.take()
    let broker = try await Mosquitto(port: port)
    let fixture = ClientFixture(port: port)
    try await fixture.start()
    broker.freeze()
    // Fewer than a broker receives at once: of more, the newest would wait for its turn anyway.
    for index in 0..<5 { fixture.client.publish(text: "old \(index)", to: "state", retain: true) }
    fixture.client.publish(text: "event", to: "kept", retain: true)
    fixture.handler.onConnect = { [client = fixture.client] in
      client.publish(text: "new", to: "state", retain: true)
    }
    let seen = fixture.events.count
    try await broker.kill()
    try await broker.start()
    _ = try await fixture.handler.session(from: seen)
    #expect(await fixture.client.stop(saying: [Publication(topic: "end", text: "end", retain: true)]))
    let recorder = try await MQTTRecorder(port: port)
    try await recorder.message(on: "end")
    #expect(recorder.latest["state"]?.text == "new")
    #expect(recorder.latest["kept"]?.text == "event")
    #expect(fixture.client.counters.dropped == 0)
  }

  @Loop @Test func `after a long outage nothing old is sent`() async throws {
    let port = FreePort.take()
    let broker = try await Mosquitto(port: port)
    let fixture = ClientFixture(port: port) { $0.resendsWithin = .zero }
    try await fixture.start()
    broker.freeze()
    for _ in 0..<5 { fixture.client.publish(text: "old", to: "event", retain: true) }
    let seen = fixture.events.count
    try await broker.kill()
    try await broker.start()
    _ = try await fixture.handler.session(from: seen)
    #expect(fixture.client.counters.dropped == 5)
    #expect(fixture.client.counters.queued == 0)
    let recorder = try await MQTTRecorder(port: port, subscribingTo: ["#"])
    fixture.client.publish(text: "new", to: "event")
    #expect(try await recorder.message(on: "event").text == "new")
    await fixture.client.stop()
  }

  @Loop @Test func `what is published from within a received message is sent`() async throws {
    let broker = try await Mosquitto()
    let recorder = try await MQTTRecorder(port: broker.port)
    let fixture = ClientFixture(port: broker.port)
    fixture.client.subscribe(Subscription(try TopicFilter("in")))
    fixture.handler.onMessage = { [client = fixture.client] message in
      for qos in [QualityOfService.atMostOnce, .atLeastOnce, .exactlyOnce] {
        client.publish(message.payload, to: "out/\(qos.rawValue)", qos: qos)
      }
    }
    try await fixture.start()
    try await recorder.publish("1", to: "in")
    for qos in 0...2 { #expect(try await recorder.message(on: "out/\(qos)").qos == qos) }
    await fixture.client.stop()
  }

  @Loop @Test func `a client dropped from within a received message goes quietly`() async throws {
    let broker = try await Mosquitto()
    let recorder = try await MQTTRecorder(port: broker.port)
    var fixture: ClientFixture? = ClientFixture(port: broker.port) {
      $0.will = Publication(topic: "state", text: "cut off")
    }
    fixture?.client.subscribe(Subscription(try TopicFilter("in")))
    try await fixture?.start()
    let handler = fixture?.handler
    handler?.onMessage = { _ in fixture = nil }
    try await recorder.publish("1", to: "in")
    #expect(try await recorder.message(on: "state").text == "cut off")
  }

  @Loop @Test func `what is published in one turn arrives whole and in order, and so does the next turn's`()
    async throws
  {
    let broker = try await Mosquitto()
    let recorder = try await MQTTRecorder(port: broker.port, subscribingTo: ["out"])
    let fixture = ClientFixture(port: broker.port)
    try await fixture.start()
    for turn in 0..<4 {
      let present = Loop.turn
      for number in 0..<100 {
        #expect(fixture.client.publish(text: "\(turn) \(number)", to: "out", qos: .atMostOnce) == .accepted)
      }
      #expect(Loop.turn == present)
      try await recorder.messages.first { $0.text == "\(turn) 99" }
    }
    let expected = (0..<4).flatMap { turn in (0..<100).map { "\(turn) \($0)" } }
    #expect(recorder.messages.all.map(\.text) == expected)
    await fixture.client.stop()
  }

  @Loop @Test func `all of many publishes are acknowledged`() async throws {
    let broker = try await Mosquitto()
    let recorder = try await MQTTRecorder(port: broker.port, subscribingTo: ["last"])
    let fixture = ClientFixture(port: broker.port) { $0.outgoingLimit = 5000 }
    try await fixture.start()
    for index in 0..<3000 { #expect(fixture.client.publish(text: "\(index)", to: "many") == .accepted) }
    #expect(await fixture.client.stop(saying: [Publication(topic: "last", text: "")], within: .seconds(60)))
    try await recorder.message(on: "last")
    #expect(fixture.client.counters.published == 3001)
    #expect(fixture.client.counters.dropped == 0)
  }

  @Loop @Test func `what is too large or has no proper topic is refused`() async throws {
    let broker = try await Mosquitto()
    let fixture = ClientFixture(port: broker.port) { $0.payloadLimit = 1000 }
    try await fixture.start()
    let client = fixture.client
    #expect(client.publish([UInt8](repeating: 0, count: 1001), to: "out") == .tooLarge)
    #expect(client.publish([UInt8](repeating: 0, count: 1000), to: "out") == .accepted)
    for topic in ["", "a/#", "a\0b", "a\u{7}"] {
      #expect(client.publish(text: "x", to: topic, qos: .atMostOnce) == .invalidTopic, "\(topic)")
    }
    #expect(client.counters.refused == 5)
    #expect(client.isConnected)
    await client.stop()
  }

  @Loop @Test func `a broker's smaller limit is kept`() async throws {
    var options = Mosquitto.Options()
    options.lines = ["max_packet_size 2000"]
    let broker = try await Mosquitto(options)
    let fixture = ClientFixture(port: broker.port, version: .only(.v5))
    try await fixture.start()
    #expect(fixture.client.publish([UInt8](repeating: 0, count: 3000), to: "out") == .tooLarge)
    #expect(fixture.client.isConnected)
    await fixture.client.stop()
  }

  @Loop @Test(arguments: VersionPreference.both)
  func `ten megabytes are not passed on and the client lives`(version: VersionPreference) async throws {
    let broker = try await Mosquitto()
    let recorder = try await MQTTRecorder(port: broker.port, subscribingTo: [])
    let fixture = ClientFixture(port: broker.port, version: version)
    fixture.client.subscribe(Subscription(try TopicFilter("in")))
    try await fixture.start()
    try await recorder.publish([UInt8](repeating: 0x61, count: 10_000_000), to: "in")
    try await recorder.publish("small", to: "in")
    #expect(try await fixture.handler.message(on: "in").text == "small")
    let isToldToTheBroker = if case .only(.v5) = version { true } else { false }
    #expect(fixture.client.counters.oversized == (isToldToTheBroker ? 0 : 1))
    #expect(fixture.client.counters.received == 1)
    await fixture.client.stop()
  }
}
