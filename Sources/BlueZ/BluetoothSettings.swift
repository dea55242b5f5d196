public import EventLoop

/// What an owner or a test may choose.
public struct BluetoothSettings: Sendable {
  /// `hci0` or an address; nil takes the first that is powered on.
  public var adapter: String?
  /// Of the bus, such as `unix:path=/run/dbus/system_bus_socket`; nil for the system bus.
  public var bus: String?
  public var busBackOff = BackOff(longest: .seconds(30))
  public var timing = ConnectTiming()

  public init(adapter: String? = nil, bus: String? = nil) {
    self.adapter = adapter
    self.bus = bus
  }
}

/// The deadlines and pauses of connecting.
public struct ConnectTiming: Hashable, Sendable {
  /// For `Connect`. BlueZ alone takes 40 s to give up a board that is absent.
  public var connect = Duration.seconds(10)
  /// From the connection to the list of services.
  public var services = Duration.seconds(15)
  /// From the list of services to the subscription.
  public var subscription = Duration.seconds(10)
  /// After a failure within this time one more attempt follows at once.
  public var quickFailure = Duration.seconds(5)
  /// An advertisement older than this no longer says that the board is there.
  public var advertisementLife = Duration.seconds(15)
  /// How long after the end of a notification descriptor a disconnection may still be announced.
  public var disconnectGrace = Duration.milliseconds(500)
  /// For `Disconnect`, which takes BlueZ about 2 s.
  public var disconnect = Duration.seconds(5)
  public var backOff = BackOff()
  /// Connects one after the other may keep who listens to advertisements deaf for so long; then comes a scan.
  public var deafness = Duration.seconds(5)
  /// How long that scan lasts, in which each beacon is heard.
  public var listening = Duration.seconds(2)
  /// Between such scans where monitors hear and only strengths are missing.
  public var rest = Duration.seconds(8)

  public init() {}
}
