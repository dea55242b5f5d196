/// How one owner's sketch does what no document settles. The defaults are the likelier classic board.
public struct PlugSketchOptions: Hashable, Sendable {
  /// N, compiled into the sketch; the protocol never states it. 0…255 can be addressed.
  public var slots = 10
  /// How often the sketch looks at its table: switching is late by up to this much. 1 ms at least.
  public var checkInterval: Duration = .seconds(10)
  public var greeting = Greeting.onConnect
  public var offCommand = OffCommand.switchesOffByHand
  public var otherStates = OtherStates.switchOn
  public var indexBeyondTable = IndexBeyondTable.ignored
  public var clearing = Clearing.zeroesSlot
  public var gluedCommands = GluedCommands.allServed
  public var periodArithmetic = PeriodArithmetic.sixteenBits
  public var overlaps = Overlaps.endSwitchesOff
  public var clockAfterPowerCut = ClockAfterPowerCut.isSetByNetwork
  /// Whether the table is also checked while a client stays connected.
  public var checksWhileConnected = false
  /// Whether `S` is also sent after each change of mode or appliance.
  public var reportsChanges = false

  public init() {}

  public static let classic = PlugSketchOptions()

  /// A board that may be held open: it keeps its schedule meanwhile, reports changes and takes `S 2`.
  public static let newer = {
    var options = PlugSketchOptions()
    options.otherStates = .twoIsAutomatic
    options.periodArithmetic = .thirtyTwoBits
    options.overlaps = .union
    options.checksWhileConnected = true
    options.reportsChanges = true
    return options
  }()

  /// When the sketch notices its client and sends its `S`.
  public enum Greeting: Hashable, Sendable {
    case onConnect
    /// As a Wi-Fi shield whose `available()` returns only clients that have sent something: the `S` then
    /// comes right before the answer. Until then the schedule goes on.
    case onFirstByte
  }

  /// What `S 0` does beside switching off.
  public enum OffCommand: Hashable, Sendable {
    case switchesOffByHand
    case returnsToAutomatic
  }

  /// What `S` does with a state that is neither 0 nor 1.
  public enum OtherStates: Hashable, Sendable {
    /// As `digitalWrite` takes any value but 0 for HIGH.
    case switchOn
    case ignored
    /// As newer boards: 2 is automatic, the rest is ignored.
    case twoIsAutomatic
  }

  /// What `U` and `D` do with an index of N or more.
  public enum IndexBeyondTable: Hashable, Sendable {
    case ignored
    case wrapsAround
  }

  /// What `D` leaves in the slot.
  public enum Clearing: Hashable, Sendable {
    case zeroesSlot
    /// Only the name's first byte: the slot is free, its other bytes stay.
    case zeroesFirstByte
  }

  /// What happens to commands that arrive in one segment.
  public enum GluedCommands: Hashable, Sendable {
    case allServed
    /// The sketch flushes its input after the first.
    case firstServed
  }

  /// In how many bits `60 * period` is computed.
  public enum PeriodArithmetic: Hashable, Sendable {
    /// Periods above 1092 minutes move the start by `60 * period` mod 65536 seconds.
    case sixteenBits
    case thirtyTwoBits
  }

  /// What happens when activations overlap.
  public enum Overlaps: Hashable, Sendable {
    /// The end of one switches off what another, earlier in the table, keeps on, until the next check.
    case endSwitchesOff
    case union
  }

  /// What the sketch's clock shows when power returns.
  public enum ClockAfterPowerCut: Hashable, Sendable {
    case isSetByNetwork
    /// 1970, until the network's time is there.
    case startsFromZero
    /// Where it stopped: behind by the outage.
    case continuesWhereItStopped
  }
}
