/// A kind of device, as the registry lists it: its word in the configuration, its options, and its adapter.
public struct Kind: Sendable {
  /// The word after `kind:`.
  public var name: String
  /// One sentence for the documentation.
  public var summary: String
  /// What may stand below `options:`.
  public var options: OptionSchema
  /// Options that a device of this kind may have, for documentation and tests; unknown when it can do without any.
  public var example: Value
  /// The links it needs, the primary one first.
  public var links: [LinkRequirement]
  /// Bytes go both ways as they are, on the topics `rx` and `tx`.
  public var isRaw: Bool
  /// Names below `bridge/<bridge>/request/` that a device of this kind answers, such as `garage/pin/add`; each takes a
  /// JSON object that names the device.
  public var requests: [String]
  /// What goes over its links may hold secrets that its options do not name: a capture tells only how many bytes
  /// there were.
  public var trafficIsSecret = false
  /// Makes the adapter of one device. `options` was checked against the schema; what a schema cannot say is
  /// appended to `problems`, and nil returned when there is no going on.
  public var makeAdapter: MakeAdapter

  /// For a kind whose options decide about its links: the requirements of one device.
  public var linksOfDevice: (@Sendable (Options) -> [LinkRequirement])?

  public typealias MakeAdapter =
    @Sendable (_ options: Options, _ problems: inout [ConfigurationProblem]) -> (any Adapter)?

  public init(
    name: String, summary: String, options: OptionSchema = OptionSchema([]), example: Value = .unknown,
    links: [LinkRequirement], isRaw: Bool = false, requests: [String] = [],
    linksOfDevice: (@Sendable (Options) -> [LinkRequirement])? = nil, makeAdapter: @escaping MakeAdapter
  ) {
    self.name = name
    self.summary = summary
    self.options = options
    self.example = example
    self.links = links
    self.isRaw = isRaw
    self.requests = requests
    self.linksOfDevice = linksOfDevice
    self.makeAdapter = makeAdapter
  }

  /// The kind as it is for a device with these options.
  public func tailored(to options: Options) -> Kind {
    guard let linksOfDevice else { return self }
    var kind = self
    kind.links = linksOfDevice(options)
    return kind
  }
}

/// One link of a kind.
public struct LinkRequirement: Hashable, Sendable {
  public var role: LinkRole
  public var transports: [Transport]
  /// The session when the configuration says nothing.
  public var session: Session
  /// The same over TCP and serial ports, where it is another one than over a radio that phones want too.
  public var wiredSession: Session?
  /// On what some of the transports of the kind depend, for people: `tcp and serial with 'form: lines' in the options`.
  public var condition: String?
  /// The board says something by itself after the link is up: it is available after its first valid message.
  /// False for one that may stay silent: it is available as soon as the link is up.
  public var speaks: Bool
  public var carries: Cargo
  /// Where such a board always is, when the configuration says nothing: the whole for the primary link, and for
  /// another the port on the primary one's host.
  public var standard: HostPort?

  public init(
    role: LinkRole = .board, transports: [Transport], session: Session = .held, speaks: Bool = true,
    carries: Cargo = .bytes, standard: HostPort? = nil
  ) {
    self.role = role
    self.transports = transports
    self.session = session
    self.speaks = speaks
    self.carries = carries
    self.standard = standard
  }

  /// What goes over the link.
  public enum Cargo: Hashable, Sendable {
    /// Of a serial port, whatever carries it.
    case bytes
    /// ``AttributeOrder`` and ``AttributeNews``, to and from a board's services over Bluetooth LE.
    case attributes
  }

  /// How bytes reach the board.
  public enum Transport: String, Hashable, Sendable, CaseIterable {
    case ble, tcp, udp, serial, capture
  }
}

/// How long a link is held.
public enum Session: Hashable, Sendable {
  /// As long as the bridge runs.
  case held
  /// Connected every so often and around each command, and left in between.
  case polled(every: Duration)
  /// Connected for a command only.
  case onDemand
}
