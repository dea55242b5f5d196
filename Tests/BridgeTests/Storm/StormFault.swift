import TestSupport

/// Something that goes wrong for a while. Each party has one fault at a time; parties fail together.
enum StormFault: Hashable, Sendable {
  case broker(BrokerFault)
  case bridge(BridgeFault)
  case radio(RadioFault)
  case plug(Int, PlugFault)
  case disk(DiskFault)
  case drone(DroneFault)

  enum BrokerFault: CaseIterable, Hashable, Sendable { case killed, frozen }
  enum BridgeFault: CaseIterable, Hashable, Sendable { case killed, frozen }

  enum PlugFault: Hashable, Sendable {
    case board(BoardFault)
    /// Ends each connection in the middle of its table.
    case resets
    /// Says bytes that do not belong there before each message.
    case babbles
    /// Leaves out the end of its table.
    case cutsTable

    static let all = BoardFault.allCases.map(PlugFault.board) + [.resets, .babbles, .cutsTable]
  }

  /// What is wrong with the file that the bridge keeps its memory in.
  enum DiskFault: CaseIterable, Hashable, Sendable { case full, unwritable, damaged }

  /// Half of its packets are lost, its telemetry is, or its battery is taken out, in the air too.
  enum DroneFault: CaseIterable, Hashable, Sendable { case lossy, mute, powerless }

  /// Who fails.
  enum Party: Hashable, Sendable {
    case broker, bridge, radio, disk, drone
    case plug(Int)

    func fault(killingBridge: Bool, _ random: inout SeededRandom) -> StormFault {
      switch self {
      case .broker: .broker(Self.any(BrokerFault.allCases, &random))
      case .bridge: .bridge(killingBridge ? Self.any(BridgeFault.allCases, &random) : .frozen)
      case .radio: .radio(Self.any(RadioFault.allCases, &random))
      case .disk: .disk(Self.any(DiskFault.allCases, &random))
      case .drone: .drone(Self.any(DroneFault.allCases, &random))
      case .plug(let index): .plug(index, Self.any(PlugFault.all, &random))
      }
    }

    private static func any<T>(_ list: [T], _ random: inout SeededRandom) -> T {
      list[Int.random(in: list.indices, using: &random)]
    }
  }
}

/// What somebody asks of a board.
enum StormCommand: Hashable, Sendable {
  /// An activation of the plug's schedule, or text for the raw board: told from all others by its number.
  case activation(plug: Int, number: Int)
  case text(number: Int)
  /// The board sees only how many of these there were.
  case power(plug: Int, isOn: Bool)
  case lock(Bool)
  case takeOff, land
}
