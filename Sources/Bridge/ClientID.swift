import Glibc

/// A client id that is the same after every restart and differs between bridges and machines.
enum ClientID {
  static func `default`(bridge: String) -> String { "sketch2mqtt-\(bridge)-\(hash(of: machine))" }

  /// systemd's machine id, which is not to be shown itself; else the host's name.
  private static var machine: String {
    for path in ["/etc/machine-id", "/var/lib/dbus/machine-id"] {
      if case .content(let bytes) = StateFile(path: path).read(), bytes.count > 16 {
        return String(decoding: bytes, as: UTF8.self)
      }
    }
    var name = [CChar](repeating: 0, count: 256)
    gethostname(&name, name.count - 1)
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// FNV-1a, 32 bits: the same text gives the same eight digits on every machine.
  static func hash(of text: String) -> String {
    var hash: UInt32 = 2_166_136_261
    for byte in text.utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }
}
