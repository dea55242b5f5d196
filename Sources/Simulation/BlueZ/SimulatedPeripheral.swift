public import EventLoop

/// What runs behind a simulated radio: a board with its services.
@Loop public protocol SimulatedPeripheral: AnyObject {
  /// Told by its advertisements and their scan responses.
  var advertisedName: String? { get }
  /// The first is advertised.
  var services: [SimulatedService] { get }
  /// A central has connected; notifications may be sent at once, and reach whoever has subscribed.
  func connected(_ link: SimulatedLink)
  /// The central has written to a characteristic: one packet.
  func written(_ bytes: [UInt8], to characteristic: String)
  /// The central reads a characteristic. Nothing by default.
  func read(_ characteristic: String) -> Result<[UInt8], BlueZFault>
  func disconnected()
}

extension SimulatedPeripheral {
  public func read(_ characteristic: String) -> Result<[UInt8], BlueZFault> { .success([]) }
}

/// A GATT service of a simulated board.
public struct SimulatedService: Hashable, Sendable {
  /// 128 bits in lower case with dashes.
  public var uuid: String
  public var characteristics: [Characteristic]

  public struct Characteristic: Hashable, Sendable {
    public var uuid: String
    /// As BlueZ names them: `read`, `write`, `write-without-response`, `notify`, `indicate`.
    public var flags: [String]
    /// Besides the switch for notifications, which is there by itself.
    public var descriptors: [Descriptor]

    public init(_ uuid: String, _ flags: [String], descriptors: [Descriptor] = []) {
      self.uuid = uuid
      self.flags = flags
      self.descriptors = descriptors
    }

    var canNotify: Bool { flags.contains("notify") || flags.contains("indicate") }
  }

  public struct Descriptor: Hashable, Sendable {
    public var uuid: String
    public var value: [UInt8]

    public init(_ uuid: String, _ value: [UInt8]) {
      self.uuid = uuid
      self.value = value
    }
  }

  /// The long form of an assigned number.
  public static func assigned(_ digits: String) -> String { "0000\(digits)-0000-1000-8000-00805f9b34fb" }

  public init(_ uuid: String, _ characteristics: [Characteristic]) {
    self.uuid = uuid
    self.characteristics = characteristics
  }

  /// The Nordic UART as nRF8001 boards have it.
  public static let nus = SimulatedService(
    "6e400001-b5a3-f393-e0a9-e50e24dcca9e",
    [
      Characteristic("6e400002-b5a3-f393-e0a9-e50e24dcca9e", ["write-without-response", "write"]),
      Characteristic("6e400003-b5a3-f393-e0a9-e50e24dcca9e", ["notify"]),
    ])

  /// One characteristic for both directions, as HM-10 modules have it.
  public static let hm10 = SimulatedService(
    "0000ffe0-0000-1000-8000-00805f9b34fb",
    [
      Characteristic(
        "0000ffe1-0000-1000-8000-00805f9b34fb", ["read", "write-without-response", "notify"])
    ])

  /// Where the board speaks and where it listens, if it is a UART.
  var notifying: String? { characteristics.first { $0.flags.contains("notify") }?.uuid }
}

/// A board's connection to the central, until either ends it.
@Loop public final class SimulatedLink {
  private weak var board: SimulatedBoard?

  init(_ board: SimulatedBoard) { self.board = board }

  /// The most that one notification carries; longer ones are cut, as on the air.
  public var maximumPacket: Int { board.map { $0.mtu - 3 } ?? 20 }

  /// Notifies whoever has subscribed to the board's first characteristic that notifies.
  public func notify(_ bytes: [UInt8]) { board?.notify(bytes) }

  /// Notifies whoever has subscribed to this characteristic.
  public func notify(_ bytes: [UInt8], from characteristic: String) {
    board?.notify(bytes, from: characteristic)
  }

  /// The board ends the connection, or its power fails.
  public func drop() { board?.drop() }
}
