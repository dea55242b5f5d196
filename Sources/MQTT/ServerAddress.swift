/// Where an MQTT server listens. Shown as `mqtt://host:port`, with TLS as `mqtts://host:port`, an IPv6 address in
/// brackets.
public struct ServerAddress: Hashable, Sendable, CustomStringConvertible {
  /// A host name or a numeric address, the latter without brackets.
  public var host: String
  /// 1 … 65535.
  public var port: UInt16
  public var usesTLS: Bool

  public init(host: String, port: UInt16? = nil, usesTLS: Bool = false) {
    self.host = host
    self.port = port ?? (usesTLS ? 8883 : 1883)
    self.usesTLS = usesTLS
  }

  public var description: String {
    let shownHost = host.contains(":") ? "[\(host)]" : host
    return "\(usesTLS ? "mqtts" : "mqtt")://\(shownHost):\(port)"
  }
}
