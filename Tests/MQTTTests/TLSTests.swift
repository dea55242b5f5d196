import EventLoop
import MQTT
import TestSupport
import Testing

@Suite struct TLSTests {
  init() { #expect(LoopThread.started) }

  @Loop private func fixture(
    port: UInt16, host: String = "localhost", adjust: (inout TLSSettings) -> Void
  ) -> ClientFixture {
    ClientFixture(port: port) {
      $0.servers = [ServerAddress(host: host, port: port, usesTLS: true)]
      adjust(&$0.tls)
    }
  }

  @Loop private func failure(_ fixture: ClientFixture) async throws -> String {
    fixture.client.start()
    let reason = try await fixture.handler.reason()
    await fixture.client.stop()
    guard case .tls(let words) = reason else {
      Issue.record("\(reason)")
      return ""
    }
    return words
  }

  private func options(_ certificates: TestCertificates) -> Mosquitto.Options {
    var options = Mosquitto.Options()
    options.certificates = certificates
    return options
  }

  @Loop @Test(arguments: ["localhost", "127.0.0.1"])
  func `a server with a certificate of the authority is trusted`(host: String) async throws {
    let certificates = try await TestCertificates()
    let broker = try await Mosquitto(options(certificates))
    let fixture = fixture(port: broker.port, host: host) { $0.authorityFile = certificates.authority }
    fixture.client.subscribe(Subscription(try TopicFilter("echo")))
    try await fixture.start()
    let text = String(repeating: "x", count: 100_000)
    for _ in 0..<3 { #expect(fixture.client.publish(text: text, to: "echo") == .accepted) }
    let seen = try await fixture.handler.message(on: "echo")
    #expect(seen.text == text)
    try await fixture.events.first(from: fixture.events.count - 1)
    await fixture.client.stop()
  }

  @Loop @Test func `a server of an unknown authority is refused`() async throws {
    let certificates = try await TestCertificates()
    let other = try await TestCertificates()
    let broker = try await Mosquitto(options(certificates))
    let words = try await failure(fixture(port: broker.port) { $0.authorityFile = other.authority })
    #expect(words.contains("certificate verify failed"))
  }

  @Loop @Test func `a server that only the system could vouch for is refused`() async throws {
    let broker = try await Mosquitto(options(TestCertificates()))
    let words = try await failure(fixture(port: broker.port) { _ in })
    #expect(words.contains("certificate verify failed"))
  }

  @Loop @Test func `a server with a certificate for another host is refused`() async throws {
    let certificates = try await TestCertificates()
    var options = options(certificates)
    options.certificateName = "elsewhere"
    let broker = try await Mosquitto(options)
    let words = try await failure(fixture(port: broker.port) { $0.authorityFile = certificates.authority })
    #expect(words.contains("host name verification failed"))
  }

  @Loop @Test func `any server is believed only when told so`() async throws {
    let broker = try await Mosquitto(options(TestCertificates()))
    let fixture = fixture(port: broker.port) { $0.isInsecure = true }
    try await fixture.start()
    await fixture.client.stop()
  }

  @Loop @Test func `a server that asks for a certificate gets one`() async throws {
    let certificates = try await TestCertificates()
    var options = options(certificates)
    options.requiresClientCertificate = true
    let broker = try await Mosquitto(options)
    let with = fixture(port: broker.port) {
      $0.authorityFile = certificates.authority
      $0.certificateFile = certificates.certificate("client")
      $0.keyFile = certificates.key("client")
    }
    try await with.start()
    await with.client.stop()

    let without = fixture(port: broker.port) { $0.authorityFile = certificates.authority }
    without.client.start()
    _ = try await without.handler.reason()
    #expect(!without.client.isConnected)
    await without.client.stop()
  }

  @Loop @Test func `a missing file is named`() async throws {
    let words = try await failure(
      fixture(port: FreePort.take()) { $0.authorityFile = "/no/such/authority.pem" })
    #expect(words.contains("/no/such/authority.pem"))
  }

  @Loop @Test func `a server without TLS is told`() async throws {
    let broker = try await Mosquitto()
    let fixture = fixture(port: broker.port) { _ in }
    fixture.client.start()
    _ = try await fixture.handler.reason()
    #expect(!fixture.client.isConnected)
    await fixture.client.stop()
  }

  @Loop @Test(arguments: [ScriptedServer.Answer.close, .reset, .sendAndClose(Array("HTTP/1.1 400".utf8))])
  func `a server that ends the handshake is noticed at once`(answer: ScriptedServer.Answer) async throws {
    let rude = try ScriptedServer { _ in answer }
    let fixture = fixture(port: rude.port) { _ in }
    fixture.client.start()
    let reason = try await fixture.handler.reason()
    #expect(reason != .connectTimedOut)
    await fixture.client.stop()
  }

  @Loop @Test func `a plain server follows one with TLS`() async throws {
    let broker = try await Mosquitto()
    let plain = ServerAddress(host: "127.0.0.1", port: broker.port)
    let fixture = fixture(port: FreePort.take()) { _ in }
    var settings = fixture.client.settings
    settings.servers.append(plain)
    let both = ClientFixture(settings)
    #expect(try await both.start().server == plain)
    await both.client.stop()
  }
}
