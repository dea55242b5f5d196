import EventLoop
import MQTT
import TestSupport
import Testing

/// Which version of MQTT a broker is spoken to with.
@Suite struct VersionTests {
  init() { #expect(LoopThread.started) }

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
}
