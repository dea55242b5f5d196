/// Where an MQTT server listens.
///
/// Written `mqtt://host`, `mqtts://host` (TLS), either with `:port`, or bare as `host` or `host:port`. An IPv6
/// address stands in brackets: `mqtt://[fd00::1]:1883`. Ports default to 1883, with TLS to 8883.
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

  public init(parsing text: String) throws(ServerAddressError) {
    let (usesTLS, authority) = try Self.splitScheme(text)
    if authority.contains("@") { throw .containsCredentials }
    let (host, port) = try Self.splitPort(authority)
    try Self.check(host: host, isBracketed: authority.hasPrefix("["))
    self.init(host: String(host), port: try port.map(Self.parsePort), usesTLS: usesTLS)
  }

  public var description: String {
    let shownHost = host.contains(":") ? "[\(host)]" : host
    return "\(usesTLS ? "mqtts" : "mqtt")://\(shownHost):\(port)"
  }

  private static func splitScheme(_ text: String) throws(ServerAddressError) -> (Bool, Substring) {
    var rest = text[...]
    var usesTLS = false
    if let separator = text.firstRange(of: "://") {
      let scheme = text[..<separator.lowerBound].lowercased()
      guard scheme == "mqtt" || scheme == "mqtts" else { throw .unknownScheme(scheme) }
      usesTLS = scheme == "mqtts"
      rest = text[separator.upperBound...]
    }
    if rest.hasSuffix("/") { rest.removeLast() }
    return (usesTLS, rest)
  }

  private static func splitPort(_ text: Substring) throws(ServerAddressError) -> (Substring, Substring?) {
    if text.hasPrefix("[") {
      guard let bracket = text.firstIndex(of: "]") else { throw .missingBracket }
      let after = text[text.index(after: bracket)...]
      let host = text[text.index(after: text.startIndex)..<bracket]
      if after.isEmpty { return (host, nil) }
      guard after.hasPrefix(":") else { throw .unexpectedCharacter(after[after.startIndex]) }
      return (host, after.dropFirst())
    }
    guard let colon = text.firstIndex(of: ":") else { return (text, nil) }
    let port = text[text.index(after: colon)...]
    if port.contains(":") { throw .missingBracket }
    return (text[..<colon], port)
  }

  private static func parsePort(_ text: Substring) throws(ServerAddressError) -> UInt16 {
    let isNumber = !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    guard isNumber, let port = UInt16(text), port > 0 else { throw .invalidPort(String(text)) }
    return port
  }

  private static func check(host: Substring, isBracketed: Bool) throws(ServerAddressError) {
    if host.isEmpty { throw .missingHost }
    for character in host {
      let isAllowed =
        character.isASCII
        && (character.isLetter || character.isNumber || "-._".contains(character)
          || (isBracketed && ":%".contains(character)))
      if !isAllowed { throw .unexpectedCharacter(character) }
    }
    if host.utf8.count > 253 { throw .hostTooLong }
  }
}

/// Why a text is not the address of an MQTT server.
public enum ServerAddressError: Error, Equatable, Sendable, CustomStringConvertible {
  case unknownScheme(String)
  case containsCredentials
  case missingHost
  case missingBracket
  case unexpectedCharacter(Character)
  case hostTooLong
  case invalidPort(String)

  public var description: String {
    switch self {
    case .unknownScheme(let scheme): "unknown scheme '\(scheme)://', expected mqtt:// or mqtts://"
    case .containsCredentials: "user and password do not belong into the address; use username and password"
    case .missingHost: "the host is missing"
    case .missingBracket: "an IPv6 address stands in brackets: [fd00::1]:1883"
    case .unexpectedCharacter(let character): "unexpected '\(character)' in the host"
    case .hostTooLong: "the host is longer than 253 bytes"
    case .invalidPort(let text): "'\(text)' is not a port (1 … 65535)"
    }
  }
}
