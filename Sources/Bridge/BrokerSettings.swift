import DeviceModel
import MQTT

/// What decides which broker is talked to, and how.
struct BrokerSettings: Hashable, Sendable {
  var servers: [ServerAddress] = [ServerAddress(host: "localhost")]
  var username: String?
  var password: String?
  /// nil: made from the bridge's name and the machine.
  var clientID: String?
  var onlyVersion: MQTTVersion?
  var keepAlive = Duration.seconds(30)
  var authorityFile: String?
  var certificateFile: String?
  var keyFile: String?
  var isInsecure = false
  var outgoingLimit = 1000

  /// Of one message, either way. Bytes.
  static let payloadLimit = 1 << 20

  func settings(topics: Topics) -> MQTTSettings {
    var settings = MQTTSettings(
      servers: servers, clientID: clientID ?? ClientID.default(bridge: topics.bridge))
    settings.username = username
    settings.password = password
    settings.version = onlyVersion.map { .only($0) } ?? .newest
    settings.keepAlive = keepAlive
    settings.tls = TLSSettings(
      authorityFile: authorityFile, certificateFile: certificateFile, keyFile: keyFile, isInsecure: isInsecure
    )
    settings.outgoingLimit = outgoingLimit
    settings.payloadLimit = Self.payloadLimit
    settings.will = Publication(topic: topics.bridgeState, text: "offline", retain: true)
    return settings
  }
}
