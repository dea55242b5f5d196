public import DeviceModel

extension Configuration {
  /// How the broker is reached, and what the bridge is called there.
  public struct Broker: Sendable, Hashable {
    /// Tried in this order; at least one.
    public var servers: [BrokerAddress]
    public var username: String?
    public var password: Secret?
    /// Files in PEM form for `mqtts`: who signs the broker's certificate (else the system's), and the bridge's own.
    public var authorities: String?
    public var certificate: String?
    public var key: String?
    /// Nil for one made of the bridge's name and the machine.
    public var clientID: String?
    /// Nil for 5 with a step down to 3.1.1 if the broker wants it.
    public var version: Version?
    public var keepAlive: Duration
    /// Messages that may wait to be sent.
    public var queueLimit: Int
    /// What all topics begin with.
    public var baseTopic: String
    /// The bridge's name among bridges on this base topic; a slug.
    public var bridge: String

    public enum Version: String, Sendable, Hashable, CaseIterable {
      case v5 = "5"
      case v311 = "3.1.1"
    }
  }
}
