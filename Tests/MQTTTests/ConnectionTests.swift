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
    // Nothing tells that the attempt is under way: on a slow machine it is not, and nothing is stopped.
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
