public import EventLoop

/// A Wi-Fi power plug on a TCP port of 127.0.0.1: the sketch, one client at a time, and faults on demand.
///
/// Everything about it can be seen and changed while it runs. It needs ``stop()``.
@Loop public final class SimulatedPowerPlug: Awaitable {
  /// What a client meets that comes while another is served.
  public enum SecondClient: Sendable {
    /// It connects and hears nothing until the first has left.
    case waits
    case isRefused
  }

  public nonisolated let port: UInt16
  public let secondClient: SecondClient
  public internal(set) var sketch: ClassicPlugSketch
  /// The simulated world's time; ``setSpeed(_:)``, ``advance(by:)`` and ``jump(by:)`` change it.
  public private(set) var clock: SimulatedClock
  public var faults = PlugFaults() { didSet { apply(oldValue) } }
  /// Called after each change, the plug being as it says.
  public var onChange: (@Loop (PlugChange) -> Void)?

  /// All commands since the start or the last ``forgetCommands()``, the newest 10,000 of them.
  public internal(set) var commands: [ReceivedPlugCommand] = []
  /// Clients accepted so far; those in the backlog are not.
  public internal(set) var acceptedClients = 0
  /// Clients being served at the moment: 0 or 1.
  public var connectedClients: Int { connection == nil ? 0 : 1 }
  public internal(set) var receivedBytes = 0
  /// Why the port is not as it should be; nil when it is.
  public internal(set) var listenFailure: SocketFailure?

  var listener: LoopbackListener?
  var connection: PlugConnection?
  var checkTimer: LoopTimer?
  var heldBack: [UInt8] = []
  var powerCut = PowerCut.none
  public let waits = Waits()

  enum PowerCut { case none, noticed, unnoticed }

  /// Opens the port: `port`, or a free one for 0.
  public init(
    options: PlugSketchOptions = .classic, slots: [PlugSlot] = [], port: UInt16 = 0,
    secondClient: SecondClient = .waits, clock: SimulatedClock
  ) throws(SocketFailure) {
    self.clock = clock
    self.secondClient = secondClient
    sketch = ClassicPlugSketch(options: options, startedAt: clock.time())
    for (index, slot) in slots.enumerated() { sketch.put(slot, at: index) }
    let door = Door()
    let listener = try LoopbackListener(port: port) { door.plug?.accept($0) }
    self.port = listener.port
    self.listener = listener
    door.plug = self
    do throws(SocketFailure) { try listener.enter(.accepting) } catch {
      listener.stop()
      throw error
    }
    work()
  }

  /// The listener's handler is made before `self` may be used in it.
  private final class Door { weak var plug: SimulatedPowerPlug? }

  /// Closes the port and the connection, and ends all waits. The plug stays as it is.
  public func stop() {
    checkTimer?.cancel()
    connection?.close()
    connection = nil
    listener?.stop()
    listener = nil
    waits.end()
  }

  public var applianceIsOn: Bool { sketch.isOn }
  public var isManual: Bool { sketch.isManual }
  public var slots: [PlugSlot] { sketch.slots }
  /// Simulated, since 1970 UTC.
  public var time: Duration { clock.time() }

  public func forgetCommands() { commands = [] }

  /// Puts `slot` on the board's SD card, past the protocol.
  public func put(_ slot: PlugSlot, at index: Int) { change { sketch.put(slot, at: index) } }

  // MARK: Time

  /// Lets `duration` pass at once, with all checks of the table that belong into it.
  public func advance(by duration: Duration) {
    clock.advance(by: duration)
    work()
  }

  /// Moves the time by `duration`, backward too, with nothing in between.
  public func jump(by duration: Duration) {
    clock.advance(by: duration)
    sketch.skipChecks(until: clock.time())
    work()
  }

  /// Simulated seconds in a real one; 0 = the time stands still but for ``advance(by:)``.
  public func setSpeed(_ speed: Double) {
    clock.setSpeed(speed)
    work()
  }

  /// The network's time reaches a board whose clock lags.
  public func synchroniseClock() { change { sketch.synchroniseClock(at: clock.time()) } }

  // MARK: Power

  /// Power is lost. Noticed: the client gets RST, later ones are refused. Unnoticed: the connection stays half
  /// open and later connects get no answer, as from a board that is really gone.
  public func cutPower(isNoticed: Bool = true) {
    powerCut = isNoticed ? .noticed : .unnoticed
    change { sketch.cutPower(at: clock.time()) }
    if isNoticed { resetClient() } else { connection?.isFrozen = true }
    updateListener()
  }

  /// Power is back. A connection from before gets the RST that the board would answer to its next segment.
  public func returnPower() {
    guard powerCut != .none else { return }
    powerCut = .none
    resetClient()
    change { sketch.returnPower(at: clock.time()) }
    updateListener()
    work()
  }

  // MARK: Waiting

  public var summary: String {
    """
    manual \(isManual), on \(applianceIsOn), \(connectedClients) clients (\(acceptedClients) in all), \
    commands \(commands.suffix(10).map(\.command))
    """
  }

  func tell(_ change: PlugChange) {
    onChange?(change)
    waits.look()
  }
}
