public import DeviceModel

/// A device with all that Home Assistant is to know of it.
public struct DiscoverableDevice: Hashable, Sendable {
  public var id: DeviceID
  /// What people call it; any text.
  public var name: String
  public var description: DeviceDescription
  /// The area that Home Assistant suggests for a new device.
  public var area: String?
  /// The icon of the main entity, unless that has one of its own.
  public var icon: String?
  public var extras: Set<Extra>
  public var output: Output
  /// Joins the device with what other integrations know of the board.
  public var bluetoothAddress: BluetoothAddress?

  public init(
    id: DeviceID, name: String, description: DeviceDescription, area: String? = nil, icon: String? = nil,
    extras: Set<Extra> = [], output: Output = .json, bluetoothAddress: BluetoothAddress? = nil
  ) {
    self.id = id
    self.name = name
    self.description = description
    self.area = area
    self.icon = icon
    self.extras = extras
    self.output = output
    self.bluetoothAddress = bluetoothAddress
  }

  /// Where the values stand.
  public enum Output: String, Hashable, Sendable, CaseIterable {
    /// In one JSON object on the device's topic.
    case json
    /// Bare, each on a topic of its own.
    case values
    /// Both; Home Assistant is pointed to the JSON object.
    case both
  }

  /// A value that every kind of device has, shown on request. Its key is its raw value.
  public enum Extra: String, Hashable, Sendable, CaseIterable {
    /// When the board last said something.
    case lastSeen = "last_seen"
    case rssi
    /// How often the link was lost and found since the bridge started.
    case reconnects
  }
}

extension DiscoverableDevice.Extra {
  /// The extra as a property like any other.
  public var property: Property {
    switch self {
    case .lastSeen: Property("last_seen", name: "Last seen", .timestamp, category: .diagnostic)
    case .rssi:
      Property(
        "rssi", name: "Signal strength",
        .sensor(.init(unit: "dBm", deviceClass: "signal_strength", stateClass: .measurement)),
        category: .diagnostic)
    case .reconnects:
      Property(
        "reconnects", name: "Reconnects", .sensor(.init(stateClass: .totalIncreasing, precision: 0)),
        category: .diagnostic, icon: "mdi:connection")
    }
  }

  /// Worth knowing also, or just then, when the board is away.
  var outlivesDevice: Bool { self != .rssi }
}
