/// What a client can ask of the board, as the board's sketch takes it.
public enum PlugCommand: Hashable, Sendable {
  /// `A`: send the table.
  case table
  /// `U`: write `slot` with 29 bytes.
  case write(slot: UInt8, PlugSlot)
  /// `D`: clear `slot`.
  case clear(slot: UInt8)
  /// `S`: switch by hand.
  case state(UInt8)
  /// A byte that begins no command.
  case unknown(UInt8)

  /// Kinds of commands, to name those that get lost.
  public struct Kinds: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let table = Kinds(rawValue: 1)
    public static let write = Kinds(rawValue: 2)
    public static let clear = Kinds(rawValue: 4)
    public static let state = Kinds(rawValue: 8)
  }

  var kind: Kinds {
    switch self {
    case .table: .table
    case .write: .write
    case .clear: .clear
    case .state: .state
    case .unknown: []
    }
  }

  /// Takes the first whole command out of `bytes`; nil while it is incomplete.
  static func take(from bytes: inout [UInt8]) -> PlugCommand? {
    guard let letter = bytes.first else { return nil }
    let command: PlugCommand
    let size: Int
    switch letter {
    case UInt8(ascii: "A"):
      (command, size) = (.table, 1)
    case UInt8(ascii: "U"):
      guard bytes.count >= 2 + PlugSlot.size, let slot = PlugSlot(bytes: bytes[2..<(2 + PlugSlot.size)])
      else { return nil }
      (command, size) = (.write(slot: bytes[1], slot), 2 + PlugSlot.size)
    case UInt8(ascii: "D"):
      guard bytes.count >= 2 else { return nil }
      (command, size) = (.clear(slot: bytes[1]), 2)
    case UInt8(ascii: "S"):
      guard bytes.count >= 2 else { return nil }
      (command, size) = (.state(bytes[1]), 2)
    default:
      (command, size) = (.unknown(letter), 1)
    }
    bytes.removeFirst(size)
    return command
  }
}
