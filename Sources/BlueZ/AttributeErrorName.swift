/// What an error code of the attribute protocol is called (Bluetooth Core Specification, volume 3, part F, 3.4.1.1;
/// those from 0xfc on by its supplement).
enum AttributeErrorName {
  static func name(of code: UInt8) -> String {
    if let name = names[code] { return name }
    return switch code {
    case 0x80...0x9F: "an error of the board's own"
    case 0xE0...0xFF: "an error of its service"
    default: "an error that is not defined"
    }
  }

  private static let names: [UInt8: String] = [
    0x01: "invalid handle", 0x02: "read not permitted", 0x03: "write not permitted", 0x04: "invalid request",
    0x05: "insufficient authentication", 0x06: "request not supported", 0x07: "invalid offset",
    0x08: "insufficient authorization", 0x09: "prepare queue full", 0x0A: "attribute not found",
    0x0B: "attribute not long", 0x0C: "encryption key too short", 0x0D: "invalid length of the value",
    0x0E: "unlikely error", 0x0F: "insufficient encryption", 0x10: "unsupported group type",
    0x11: "insufficient resources", 0x12: "database out of sync", 0x13: "value not allowed",
    0xFC: "write request rejected", 0xFD: "client configuration wrong", 0xFE: "procedure in progress already",
    0xFF: "out of range",
  ]
}
