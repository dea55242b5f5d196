/// Where a board is that nobody has configured: what a person writes to accept it.
public enum BoardPlace: Hashable, Sendable, CustomStringConvertible {
  case ble(BluetoothAddress)
  case tcp(HostPort)
  /// A path, such as one below /dev/serial/by-id.
  case serial(String)

  /// `C0:DE:00:00:00:01`, `192.168.1.20:2323` or `/dev/serial/by-id/usb-…`; nil for anything else.
  public init?(_ text: String) {
    if text.hasPrefix("/"), text.utf8.count <= 4096, !text.utf8.contains(0) {
      self = .serial(text)
    } else if let address = BluetoothAddress(text) {
      self = .ble(address)
    } else if let address = HostPort(text) {
      self = .tcp(address)
    } else {
      return nil
    }
  }

  public var description: String {
    switch self {
    case .ble(let address): address.description
    case .tcp(let address): address.description
    case .serial(let path): path
    }
  }

  /// The link of a device there, as a configuration has it.
  public var link: Value.Members {
    switch self {
    case .ble: ["ble": .text(description)]
    case .tcp: ["tcp": .text(description)]
    case .serial: ["serial": .text(description)]
    }
  }

  /// The board is known by its advertisement: it may be asked who it is.
  public var isAnnounced: Bool {
    if case .ble = self { return true }
    return false
  }
}

extension OptionRule {
  /// The text of a checked option is the place in its usual spelling.
  public static let boardPlace = OptionRule(
    "place of a board",
    expectation: "a Bluetooth address, a host and port, or the path of a serial port"
  ) { text in
    BoardPlace(text).map { .accepted(.text($0.description)) } ?? .refused()
  }
}
