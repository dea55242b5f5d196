import EventLoop
import MQTT
import TestSupport
import Testing

@Suite struct ConnectionTests {
  init() { #expect(LoopThread.started) }

  @Loop @Test(arguments: VersionPreference.both)
  func `a wrong password is named`(version: VersionPreference) async throws {
    var options = Mosquitto.Options()
    options.users = ["bridge": "right"]
    let broker = try await Mosquitto(options)
    let fixture = ClientFixture(port: broker.port, version: version) {
      $0.username = "bridge"
      $0.password = "wrong"
    }
    fixture.client.start()
    let reason = try await fixture.handler.reason()
    guard case .refused(let refusal) = reason else {
      Issue.record("\(reason)")
      return
    }
    #expect([.notAuthorized, .badUsernameOrPassword].contains(refusal))
    #expect(fixture.client.counters.lastError == reason.description)
    await fixture.client.stop()
  }

  @Loop @Test(arguments: VersionPreference.both)
  func `the right password is let in`(version: VersionPreference) async throws {
    var options = Mosquitto.Options()
    options.users = ["bridge": "right"]
    let broker = try await Mosquitto(options)
    let fixture = ClientFixture(port: broker.port, version: version) {
      $0.username = "bridge"
      $0.password = "right"
    }
    try await fixture.start()
    #expect(fixture.client.isConnected)
    await fixture.client.stop()
  }

  @Loop @Test func `a broker that is not there is unreachable, and found when it comes`() async throws {
    let port = FreePort.take()
    let fixture = ClientFixture(port: port)
    fixture.client.start()
    let reason = try await fixture.handler.reason()
    #expect(reason == .unreachable("Connection refused"))
    let broker = try await Mosquitto(port: port)
    _ = try await fixture.handler.session()
    await fixture.client.stop()
    try await broker.stop()
  }

  @Loop @Test func `a host that does not exist is told`() async throws {
    let settings = MQTTSettings(
      servers: [ServerAddress(host: "no-such-host.invalid")], clientID: "bridge")
    let fixture = ClientFixture(settings)
    fixture.client.start()
    let reason = try await fixture.handler.reason()
    guard case .unreachable(let detail) = reason else {
      Issue.record("\(reason)")
      return
    }
    #expect(!detail.isEmpty)
    await fixture.client.stop()
  }

  @Loop @Test func `the next server is taken when the first is not there`() async throws {
    let broker = try await Mosquitto()
    let second = ServerAddress(host: "127.0.0.1", port: broker.port)
    let fixture = ClientFixture(port: FreePort.take()) { $0.servers.append(second) }
    let session = try await fixture.start()
    #expect(session.server == second)
    await fixture.client.stop()
  }

  @Loop @Test func `the next server is taken when the first does not answer`() async throws {
    let mute = try ScriptedServer { _ in .nothing }
    let broker = try await Mosquitto()
    let second = ServerAddress(host: "127.0.0.1", port: broker.port)
    let fixture = ClientFixture(port: mute.port) {
      $0.servers.append(second)
      $0.connectDeadline = .milliseconds(300)
    }
    let session = try await fixture.start()
    #expect(session.server == second)
    #expect(fixture.events.all.first == .disconnected(.connectTimedOut, retries: true))
    await fixture.client.stop()
  }

  @Loop @Test func `the loop lives while a server swallows the connection attempt, and the next is taken`()
    async throws
  {
    let deaf = try DeafServer()
    let broker = try await Mosquitto()
    let second = ServerAddress(host: "127.0.0.1", port: broker.port)
    let fixture = ClientFixture(port: deaf.port) {
      $0.servers.append(second)
      $0.connectDeadline = .milliseconds(300)
    }
    #expect(try await fixture.start().server == second)
    #expect(fixture.events.all.first == .disconnected(.connectTimedOut, retries: true))
    await fixture.client.stop()
  }

  @Loop @Test func `a server that swallows the attempt is asked once and its late answer is heard`()
    async throws
  {
    let deaf = try DeafServer()
    let fixture = ClientFixture(port: deaf.port) { $0.connectDeadline = .milliseconds(100) }
    fixture.client.start()
    for _ in 0..<3 {
      #expect(try await fixture.handler.reason(from: fixture.events.count) == .connectTimedOut)
    }
    deaf.wakeUp()
    _ = try await fixture.handler.reason { $0 != .connectTimedOut }
    await fixture.client.stop()
  }

  @Loop @Test func `a stop does not wait for a connection attempt`() async throws {
    let deaf = try DeafServer()
    let fixture = ClientFixture(port: deaf.port) { $0.connectDeadline = .seconds(60) }
    fixture.client.start()
    try await Loop.sleep(for: .milliseconds(10))
    await fixture.client.stop()
    #expect(fixture.events.all == [.disconnected(.stopped, retries: false)])
  }

  @Loop @Test(arguments: VersionPreference.both)
  func `a broker killed and restarted has all subscriptions again`(version: VersionPreference) async throws {
    let broker = try await Mosquitto()
    let fixture = ClientFixture(port: broker.port, version: version)
    fixture.client.subscribe(Subscription(try TopicFilter("in/#")))
    fixture.client.subscribe(Subscription(try TopicFilter("gone")))
    try await fixture.start()
    fixture.client.unsubscribe(try TopicFilter("gone"))
    fixture.client.subscribe(Subscription(try TopicFilter("later")))
    let seen = fixture.events.count
    try await broker.kill()
    _ = try await fixture.handler.reason(from: seen)
    #expect(!fixture.client.isConnected)
    #expect(fixture.client.publish(text: "x", to: "out") == .notConnected)
    try await broker.start()
    let session = try await fixture.handler.session(from: seen)
    #expect(session.reconnects == 1)

    let recorder = try await MQTTRecorder(port: broker.port)
    for topic in ["gone", "in/a", "later"] { try await recorder.publish("1", to: topic) }
    _ = try await fixture.handler.message(on: "later")
    let topics = fixture.events.all.dropFirst(seen).compactMap { event in
      if case .received(let message) = event { message.topic } else { nil }
    }
    #expect(topics == ["in/a", "later"])
    await fixture.client.stop()
  }

  @Loop @Test func `a broker that refuses version 5 is spoken to with 3_1_1 at once and from then on`()
    async throws
  {
    let old = try ScriptedServer { chunk in
      guard chunk.count > 8, chunk[0] == 0x10 else { return .nothing }
      return chunk[8] == 5 ? .sendAndClose([0x20, 2, 0, 1]) : .send([0x20, 2, 0, 0])
    }
    let fixture = ClientFixture(port: old.port)
    let session = try await fixture.start()
    #expect(session.version == .v311)
    #expect(fixture.events.count == 1)
    #expect(old.received.all.map { $0[8] } == [5, 4])
    await fixture.client.stop()
  }

  @Loop @Test func `a broker that refuses with the code of version 5 is spoken to with 3_1_1`() async throws {
    let old = try ScriptedServer { chunk in
      guard chunk.count > 8, chunk[0] == 0x10 else { return .nothing }
      return chunk[8] == 5 ? .sendAndClose([0x20, 3, 0, 0x84, 0]) : .send([0x20, 2, 0, 0])
    }
    let fixture = ClientFixture(port: old.port)
    #expect(try await fixture.start().version == .v311)
    await fixture.client.stop()
  }

  @Loop @Test func `a broker that hangs up on version 5 is spoken to with 3_1_1, once that is sure`()
    async throws
  {
    let old = try ScriptedServer { chunk in
      guard chunk.count > 8, chunk[0] == 0x10 else { return .nothing }
      return chunk[8] == 5 ? .close : .send([0x20, 2, 0, 0])
    }
    let fixture = ClientFixture(port: old.port)
    #expect(try await fixture.start().version == .v311)
    let asked = old.received.all.filter { $0[0] == 0x10 }.map { $0[8] }
    #expect(asked == [5, 5, 4, 5, 4])
    await fixture.client.stop()
  }

  @Loop @Test func `a broker that hung up only while it started is spoken to with version 5`() async throws {
    let connects = Inbox<UInt8>("versions")
    let broker = try ScriptedServer { chunk in
      guard chunk.count > 8, chunk[0] == 0x10 else { return .nothing }
      connects.append(chunk[8])
      if connects.count <= 2 { return .close }
      return chunk[8] == 5 ? .send([0x20, 3, 0, 0, 0]) : .send([0x20, 2, 0, 0])
    }
    let fixture = ClientFixture(port: broker.port)
    #expect(try await fixture.start().version == .v5)
    #expect(connects.all == [5, 5, 4, 5])
    await fixture.client.stop()
  }

  @Loop @Test func `a broker that was not there for a while is spoken to with version 5`() async throws {
    let port = FreePort.take()
    let fixture = ClientFixture(port: port) { settings in
      settings.shortestRetry = .milliseconds(500)
      settings.longestRetry = .milliseconds(500)
    }
    fixture.client.start()
    try await fixture.events.first(from: 1)
    let connects = Inbox<UInt8>("versions")
    let broker = try ScriptedServer(port: port) { chunk in
      guard chunk.count > 8, chunk[0] == 0x10 else { return .nothing }
      connects.append(chunk[8])
      return chunk[8] == 5 ? .send([0x20, 3, 0, 0, 0]) : .send([0x20, 2, 0, 0])
    }
    #expect(try await connects.first() == 5)
    #expect(try await fixture.handler.session().version == .v5)
    await fixture.client.stop()
    withExtendedLifetime(broker) {}
  }

  @Loop @Test func `a broker that speaks something else is told`() async throws {
    let other = try ScriptedServer { _ in
      .send(Array("HTTP/1.1 400 Bad Request\r\nServer: \(String(repeating: "x", count: 200))".utf8))
    }
    let fixture = ClientFixture(port: other.port, version: .only(.v5))
    fixture.client.start()
    let reason = try await fixture.handler.reason()
    guard case .protocolError = reason else {
      Issue.record("\(reason)")
      return
    }
    await fixture.client.stop()
  }

  @Loop @Test func `a refused subscription is told with its filter`() async throws {
    let broker = try ScriptedServer { chunk in
      switch chunk[0] {
      case 0x10: .send([0x20, 2, 0, 0])
      case 0x82: .send([0x90, 3, chunk[2], chunk[3], 0x80])
      default: .nothing
      }
    }
    let fixture = ClientFixture(port: broker.port, version: .only(.v311))
    let filter = try TopicFilter("secret/#")
    fixture.client.subscribe(Subscription(filter))
    fixture.client.start()
    try await fixture.events.first { $0 == .noticed(.subscriptionRefused(filter, Refusal(code: 0x80))) }
    await fixture.client.stop()
  }

  @Loop @Test func `a refused publish is told with its topic, once for each first level`() async throws {
    var options = Mosquitto.Options()
    let rights = try TemporaryDirectory()
    options.lines = ["acl_file \(try rights.write("topic write allowed/#\n", to: "acl"))"]
    let broker = try await Mosquitto(options)
    let fixture = ClientFixture(port: broker.port, version: .only(.v5))
    try await fixture.start()
    for topic in ["allowed/a", "denied/a", "denied/b", "other/a", "allowed/b"] {
      fixture.client.publish(text: "word", to: topic, retain: true)
    }
    try await fixture.events.first { $0 == .noticed(.publishRefused(topic: "other/a", .notAuthorized)) }
    await fixture.client.stop()
    let notices = fixture.events.all.filter { if case .noticed = $0 { true } else { false } }
    #expect(notices.first == .noticed(.publishRefused(topic: "denied/a", .notAuthorized)))
    #expect(notices.count == 2)
    #expect(fixture.client.counters.declined == 3)
  }

  @Loop @Test func `a publish larger than the broker takes is told with its topic`() async throws {
    var options = Mosquitto.Options()
    options.lines = ["max_packet_size 1000"]
    let broker = try await Mosquitto(options)
    let fixture = ClientFixture(port: broker.port, version: .only(.v5))
    try await fixture.start()
    let payload = [UInt8](repeating: 0x61, count: 2000)
    #expect(fixture.client.publish(payload, to: "large/a") == .tooLarge)
    #expect(fixture.client.publish(payload, to: "large/b") == .tooLarge)
    try await fixture.events.first { $0 == .noticed(.publishRefused(topic: "large/a", .packetTooLarge)) }
    await fixture.client.stop()
    let notices = fixture.events.all.filter { if case .noticed = $0 { true } else { false } }
    #expect(notices.count == 1)
    #expect(fixture.client.isConnected == false)
  }

  @Loop @Test func `a subscription refused for the moment is asked for again, and told once`() async throws {
    let attempts = Inbox<Bool>("attempts to subscribe")
    let broker = try ScriptedServer { chunk in
      switch chunk[0] {
      case 0x10: return .send([0x20, 2, 0, 0])
      case 0x82:
        attempts.append(attempts.count == 2)
        return .send([0x90, 3, chunk[2], chunk[3], attempts.count < 3 ? 0x80 : 1])
      default: return .nothing
      }
    }
    let fixture = ClientFixture(port: broker.port, version: .only(.v311)) { settings in
      settings.shortestRetry = .milliseconds(1)
    }
    let filter = try TopicFilter("later/#")
    fixture.client.subscribe(Subscription(filter))
    fixture.client.start()
    try await attempts.first { $0 }
    await fixture.client.stop()
    #expect(attempts.count == 3)
    #expect(
      fixture.events.all.filter { $0 == .noticed(.subscriptionRefused(filter, Refusal(code: 0x80))) }.count
        == 1)
  }

  @Loop @Test func `a take-over is recognized by the broker's word`() async throws {
    let broker = try ScriptedServer { chunk in
      switch chunk[0] {
      case 0x10: .send([0x20, 3, 0, 0, 0])
      case 0x82: .sendAndClose([0xE0, 1, 0x8E])
      default: .nothing
      }
    }
    let fixture = ClientFixture(port: broker.port, clientID: "twin", version: .only(.v5))
    fixture.client.subscribe(Subscription(try TopicFilter("in")))
    fixture.client.start()
    let reason = try await fixture.handler.reason()
    #expect(reason == .takenOver(clientID: "twin"))
    #expect(reason.description.contains("twin"))
    await fixture.client.stop()
  }

  @Loop @Test(arguments: VersionPreference.both)
  func `a second client with the same id is recognized where the broker says nothing`(
    version: VersionPreference
  ) async throws {
    let broker = try await Mosquitto()
    let one = ClientFixture(port: broker.port, clientID: "twin", version: version)
    let other = ClientFixture(port: broker.port, clientID: "twin", version: version)
    try await one.start()
    try await other.start()
    let reason = try await one.handler.reason { reason in
      if case .takenOverPresumably("twin", _) = reason { true } else { false }
    }
    #expect(reason.description.contains("twin"))
    await one.client.stop()
    await other.client.stop()
  }

  @Loop @Test func `a frozen broker is noticed by the keep-alive`() async throws {
    let broker = try await Mosquitto()
    let fixture = ClientFixture(port: broker.port) { $0.keepAlive = .seconds(5) }
    try await fixture.start()
    broker.freeze()
    let reason = try await fixture.handler.reason()
    #expect(reason == .silent)
    broker.thaw()
    _ = try await fixture.handler.session(from: fixture.events.count - 1)
    await fixture.client.stop()
  }
}
