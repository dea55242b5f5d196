/// A broker's reason code, whichever protocol it came by.
public struct Refusal: Equatable, Sendable, CustomStringConvertible {
  /// MQTT 5's number (section 2.4); those of an MQTT 3.1.1 CONNACK are translated.
  public var code: UInt8

  public init(code: UInt8) { self.code = code }

  /// The MQTT 3.1.1 CONNACK return code (section 3.2.2.3) as its MQTT 5 counterpart.
  init(connack code: Int32, version: MQTTVersion) {
    let translated: [Int32: UInt8] = [1: 0x84, 2: 0x85, 3: 0x88, 4: 0x86, 5: 0x87]
    switch version {
    case .v5: self.init(code: UInt8(truncatingIfNeeded: code))
    case .v311: self.init(code: translated[code] ?? 0x80)
    }
  }

  public static let unsupportedProtocolVersion = Refusal(code: 0x84)
  public static let badUsernameOrPassword = Refusal(code: 0x86)
  public static let notAuthorized = Refusal(code: 0x87)
  public static let sessionTakenOver = Refusal(code: 0x8E)
  public static let packetTooLarge = Refusal(code: 0x95)

  public var description: String {
    Self.words[code] ?? "reason code \(code)"
  }

  private static let words: [UInt8: String] = [
    0x80: "no reason given", 0x81: "malformed packet", 0x82: "protocol error", 0x83: "not accepted here",
    0x84: "it does not speak this MQTT version", 0x85: "client id not valid",
    0x86: "wrong user name or password",
    0x87: "not authorized", 0x88: "server unavailable", 0x89: "server busy", 0x8A: "banned",
    0x8B: "server shutting down", 0x8C: "authentication method not supported",
    0x8D: "it missed our keep-alive",
    0x8E: "session taken over", 0x8F: "topic filter not allowed", 0x90: "topic not allowed",
    0x93: "more messages than it receives at once", 0x95: "packet too large", 0x96: "messages too frequent",
    0x97: "quota exceeded", 0x98: "administrative action", 0x99: "payload format not valid",
    0x9A: "retained messages not supported", 0x9B: "quality of service not supported",
    0x9C: "use another server", 0x9D: "server moved", 0x9E: "shared subscriptions not supported",
    0x9F: "connections too frequent", 0xA0: "maximum connect time",
    0xA1: "subscription identifiers not supported", 0xA2: "wildcard subscriptions not supported",
  ]
}
