/// All that a client needs to know before it connects.
public struct MQTTSettings: Sendable {
  /// Tried in this order, again and again; the first is preferred after each loss. At least one.
  public var servers: [ServerAddress]
  public var username: String?
  public var password: String?
  /// Names this client at the broker, which lets only one connection of a name live.
  public var clientID: String
  public var version: VersionPreference = .newest
  /// After this long without a packet the broker is asked whether it lives; after twice as long it is given up.
  /// 5 s … 65535 s.
  public var keepAlive: Duration = .seconds(30)
  /// For servers with ``ServerAddress/usesTLS``.
  public var tls = TLSSettings()
  /// Published by the broker when the connection ends in any other way than by ``MQTTClient/stop(saying:within:)``.
  public var will: Publication?
  /// Publishes that may wait to be sent or acknowledged; beyond it a publish is answered ``PublishResult/full``.
  public var outgoingLimit = 1000
  /// Bytes of the largest message to publish or to receive. MQTT 5 brokers are told and withhold larger ones;
  /// MQTT 3.1.1 knows no limit: there a larger one is read, then dropped and counted.
  public var payloadLimit = 256 * 1024
  /// What was sent with QoS 1 or 2 and not acknowledged is sent again when the connection is back within this time;
  /// after a longer outage it is dropped, for an event of yesterday must not set anything off today.
  public var resendsWithin: Duration = .seconds(60)
  /// The pause after the first failed round through the servers, doubled with each further one.
  public var shortestRetry: Duration = .seconds(1)
  public var longestRetry: Duration = .seconds(60)
  /// A connection this old starts the retries from the beginning.
  public var healthyAfter: Duration = .seconds(60)
  /// For look-up, TCP, TLS and MQTT handshake together; a server that takes longer is left for the next.
  public var connectDeadline: Duration = .seconds(10)

  public init(servers: [ServerAddress], clientID: String) {
    self.servers = servers
    self.clientID = clientID
  }
}

/// Which protocol to speak.
public enum VersionPreference: Sendable {
  /// MQTT 5, and 3.1.1 with a server that refuses it.
  case newest
  case only(MQTTVersion)
}

public enum MQTTVersion: Sendable, CustomStringConvertible {
  case v311
  case v5

  public var description: String {
    switch self {
    case .v311: "3.1.1"
    case .v5: "5"
    }
  }
}
