/// How long bluetoothd and the air take.
public struct SimulatedBlueZTiming: Hashable, Sendable {
  public var advertisingInterval = Duration.milliseconds(100)
  /// Between two reports of one board when the controller filters duplicates strictly.
  public var scanWindow = Duration.seconds(10)
  public var connect = Duration.milliseconds(200)
  /// `Connect` while scanning with strict filtering.
  public var connectWhileScanning = Duration.seconds(10)
  /// Until BlueZ gives up a board that does not advertise.
  public var absentConnect = Duration.seconds(40)
  /// Until BlueZ gives up a board that advertises and does not answer.
  public var unansweredConnect = Duration.seconds(4)
  public var services = Duration.milliseconds(100)
  /// Until BlueZ ends its search for services of a board that is mute.
  public var muteServices = Duration.seconds(30)
  /// From there to the disconnection.
  public var muteDisconnect = Duration.seconds(2)
  public var disconnect = Duration.seconds(2)
  /// Until an idle board that is not connected is forgotten after a scan.
  public var idleRemoval = Duration.seconds(30)

  public init() {}

  /// The same course of events in a `factor`-th of the time.
  public func faster(by factor: Double) -> SimulatedBlueZTiming {
    var timing = self
    for path in Self.all { timing[keyPath: path] = self[keyPath: path] / factor }
    return timing
  }

  private static var all: [WritableKeyPath<SimulatedBlueZTiming, Duration>] {
    [
      \.advertisingInterval, \.scanWindow, \.connect, \.connectWhileScanning, \.absentConnect,
      \.unansweredConnect, \.services, \.muteServices, \.muteDisconnect, \.disconnect, \.idleRemoval,
    ]
  }
}
