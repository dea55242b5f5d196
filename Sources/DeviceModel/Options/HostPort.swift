/// Where something listens: a host name or address, and a port.
public struct HostPort: Hashable, Sendable, CustomStringConvertible {
  /// A name, an IPv4 address, or an IPv6 address without its brackets.
  public let host: String
  /// 1 to 65535.
  public let port: Int

  /// nil if the host has a character that no host has, or the port is out of range.
  public init?(host: String, port: Int) {
    guard (1...65535).contains(port), Self.isValid(host: host) else { return nil }
    self.host = host
    self.port = port
  }

  /// `plug.lan:230`, `192.168.1.4:230` or `[fe80::1%eth0]:230`; without a port only if there is a default.
  public init?(_ text: String, defaultPort: Int? = nil) {
    let hostText: Substring
    let rest: Substring
    if text.hasPrefix("[") {
      guard let end = text.firstIndex(of: "]") else { return nil }
      hostText = text[text.index(after: text.startIndex)..<end]
      rest = text[text.index(after: end)...]
      guard hostText.contains(":") else { return nil }
    } else {
      let colon = text.firstIndex(of: ":") ?? text.endIndex
      hostText = text[..<colon]
      rest = text[colon...]
    }
    guard !rest.isEmpty else {
      guard let defaultPort else { return nil }
      self.init(host: String(hostText), port: defaultPort)
      return
    }
    let digits = rest.dropFirst()
    guard rest.first == ":", (1...5).contains(digits.utf8.count),
      digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let port = Int(digits)
    else { return nil }
    self.init(host: String(hostText), port: port)
  }

  public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

  private static func isValid(host: String) -> Bool {
    guard (1...253).contains(host.utf8.count) else { return false }
    let isVersion6 = host.contains(":")
    return host.unicodeScalars.allSatisfy { scalar in
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", ".", "-", "_": true
      case ":", "%": isVersion6
      default: false
      }
    }
  }
}
