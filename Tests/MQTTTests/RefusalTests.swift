import EventLoop
import MQTT
import TestSupport
import Testing

/// What a broker does not take, and says so.
@Suite struct RefusalTests {
  init() { #expect(LoopThread.started) }

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
}
