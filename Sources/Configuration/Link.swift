public import DeviceModel

extension Configuration {
  /// How one board is reached.
  public struct Link: Sendable, Hashable {
    public var role: LinkRole
    public var target: Target
    public var session: Session
    /// For one attempt to connect.
    public var connectTimeout: Duration
    /// Does not count when two are compared.
    public var location: SourceLocation

    /// Where the board is.
    public enum Target: Sendable, Hashable {
      case tcp(HostPort)
      case udp(HostPort)
      case serial(SerialPort)
      /// Nil for a link to all services of the board.
      case ble(BluetoothTarget, UARTService?)
      /// A program and its arguments, whose standard output is read.
      case capture([String])
    }

    /// A port of this machine, and what opening it does to the board.
    public struct SerialPort: Sendable, Hashable {
      public var path: String
      /// Bits per second.
      public var baud: Int
      /// The board may restart each time the port is opened.
      public var resets: Bool
      /// How long a board that restarts listens to its boot loader only.
      public var bootTime: Duration

      public init(path: String, baud: Int = 115_200, resets: Bool = false, bootTime: Duration = .zero) {
        self.path = path
        self.baud = baud
        self.resets = resets
        self.bootTime = bootTime
      }
    }

    /// How a board is told from others on the air.
    public enum BluetoothTarget: Sendable, Hashable, CustomStringConvertible {
      case address(BluetoothAddress)
      /// The whole name in the advertisement.
      case name(String)

      public var description: String {
        switch self {
        case .address(let address): address.description
        case .name(let name): name
        }
      }
    }

    public static func == (left: Link, right: Link) -> Bool {
      left.role == right.role && left.target == right.target && left.session == right.session
        && left.connectTimeout == right.connectTimeout
    }

    public func hash(into hasher: inout Hasher) {
      hasher.combine(role)
      hasher.combine(target)
      hasher.combine(session)
      hasher.combine(connectTimeout)
    }

    public var transport: LinkRequirement.Transport {
      switch target {
      case .tcp: .tcp
      case .udp: .udp
      case .serial: .serial
      case .ble: .ble
      case .capture: .capture
      }
    }
  }
}
