/// How Bluetooth stands on this machine.
public struct BluetoothStatus: Hashable, Sendable {
  public enum Adapter: String, Hashable, Sendable {
    /// BlueZ has not told yet, or cannot be asked.
    case unknown
    /// The bus or bluetoothd refuses this user.
    case unauthorized
    /// BlueZ runs and has no adapter, or not the one that is meant.
    case absent
    case poweredOff = "powered off"
    case poweredOn = "powered on"
  }

  public var adapter: Adapter
  /// Of the adapter in use, such as `hci0`.
  public var name: String?
  /// Of the adapter in use, with colons.
  public var address: String?
  /// Nil when Bluetooth works, and while it is not known yet.
  public var problem: BlueZError?

  public init(
    adapter: Adapter = .unknown, name: String? = nil, address: String? = nil, problem: BlueZError? = nil
  ) {
    self.adapter = adapter
    self.name = name
    self.address = address
    self.problem = problem
  }
}

/// A Bluetooth adapter of this machine.
public struct BluetoothAdapter: Hashable, Sendable {
  /// `hci0`.
  public var name: String
  /// With colons.
  public var address: String
  public var isPowered: Bool
  /// Somebody, perhaps another program, scans with it.
  public var isDiscovering: Bool
  /// The one that boards are reached with.
  public var isUsed: Bool
}
