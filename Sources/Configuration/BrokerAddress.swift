import DeviceModel

extension Configuration {
  /// Where a broker listens: `mqtt://localhost:1883` or `mqtts://broker.lan:8883`.
  public struct BrokerAddress: Sendable, Hashable, CustomStringConvertible {
    /// `mqtts`: over TLS, with the broker's certificate verified.
    public var isSecure: Bool
    /// A name, an IPv4 address, or an IPv6 address without brackets.
    public var host: String
    public var port: Int

    public var description: String {
      "\(isSecure ? "mqtts" : "mqtt")://" + (host.contains(where: { $0 == ":" }) ? "[\(host)]" : host)
        + ":\(port)"
    }

    /// The port may be left out, and the scheme of an unencrypted one.
    init?(_ text: String) {
      guard case .success(let address) = Self.parse(text) else { return nil }
      self = address
    }

    private init(_ address: HostPort, isSecure: Bool) {
      self.isSecure = isSecure
      host = address.host
      port = address.port
    }

    private struct Refusal: Error {
      var reason: String?
      var suggestion: String?
    }

    private static func parse(_ text: String) -> Result<BrokerAddress, Refusal> {
      var rest = text[...]
      var isSecure = false
      if let scheme = scheme(of: text) {
        rest = text[scheme.endIndex...].dropFirst(3)
        switch scheme.lowercased() {
        case "mqtt": break
        case "mqtts": isSecure = true
        case "tcp": return .failure(Refusal(suggestion: "mqtt://\(rest)"))
        case "ssl", "tls", "mqtt+ssl": return .failure(Refusal(suggestion: "mqtts://\(rest)"))
        case "ws", "wss", "http", "https": return .failure(Refusal(reason: "web sockets are not supported"))
        default: return .failure(Refusal(reason: "unknown scheme"))
        }
      }
      if rest.hasSuffix("/") { rest.removeLast() }
      guard !rest.utf8.contains(UInt8(ascii: "@")) else {
        return .failure(Refusal(reason: "user name and password have keys of their own"))
      }
      guard let address = HostPort(String(rest), defaultPort: isSecure ? 8883 : 1883) else {
        return .failure(Refusal())
      }
      return .success(BrokerAddress(address, isSecure: isSecure))
    }

    private static func scheme(of text: String) -> Substring? {
      guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") else { return nil }
      return text[..<colon]
    }

    static let rule = OptionRule(
      "server", expectation: "a server such as mqtt://localhost:1883 or mqtts://broker.lan:8883"
    ) { text in
      switch parse(text) {
      case .success: .accepted(.text(text))
      case .failure(let refusal): .refused(because: refusal.reason, suggestion: refusal.suggestion)
      }
    }
  }
}
