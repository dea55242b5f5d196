import EventLoop
import MQTT
import TestSupport

/// A client of ours with its handler, connecting.
@Loop final class ClientFixture {
  let handler = RecordingHandler()
  let client: MQTTClient

  init(_ settings: MQTTSettings) {
    client = MQTTClient(settings, handler: handler)
  }

  convenience init(
    port: UInt16, clientID: String = "bridge", version: VersionPreference = .newest,
    adjust: (inout MQTTSettings) -> Void = { _ in }
  ) {
    var settings = MQTTSettings(servers: [ServerAddress(host: "127.0.0.1", port: port)], clientID: clientID)
    settings.version = version
    settings.shortestRetry = .milliseconds(50)
    settings.longestRetry = .milliseconds(200)
    adjust(&settings)
    self.init(settings)
  }

  nonisolated var events: Inbox<RecordingHandler.Event> { handler.events }

  /// Connected when this returns.
  @discardableResult
  func start() async throws -> MQTTSession {
    let seen = events.count
    client.start()
    return try await handler.session(from: seen)
  }
}

extension VersionPreference {
  static let both: [VersionPreference] = [.only(.v5), .only(.v311)]
}
