public import DeviceModel
import DBus
public import EventLoop

/// The serial port of one board over Bluetooth LE.
///
/// Closed at first. Once open it connects, and again after each loss, with growing pauses, until it is closed.
/// Nothing is ever written to a board but what ``send(_:completion:)`` is given.
@Loop public final class BluetoothUART {
  public enum Event: Sendable {
    /// Notifications are on and packets of up to `maximumPacket` bytes can be sent.
    case up(maximumPacket: Int)
    /// The connection ended, or an attempt failed and no other follows at once; unless closed, the next attempt
    /// comes by itself.
    case down(BlueZError)
  }

  public let board: BoardSelector
  public let service: UARTService

  /// Each notification, once. Called from the descriptor's handler, without a task or a hop.
  public var onReceive: @Loop ([UInt8]) -> Void = { _ in }
  /// Never called from within a call of the owner's.
  public var onStateChange: @Loop (Event) -> Void = { _ in }

  /// False leaves notifications with bluetoothd as long as it delivers by a descriptor; true again with each
  /// connection.
  public var isReading = true {
    didSet { channel?.isReading = isReading }
  }

  public private(set) var isOpen = false
  /// Why the last attempt or connection since ``open()`` ended.
  public internal(set) var lastFailure: BlueZError?
  /// Connections that came up.
  public internal(set) var connections = 0
  /// Attempts that did not, those with another at once after them included.
  public internal(set) var failedAttempts = 0

  enum Phase { case closed, waiting, connecting, resolving, subscribing, up, leaving }

  var phase = Phase.closed
  /// The board's object once known; set by the central alone.
  var device: ObjectPath?
  let number: ConnectScheduler.Board
  let central: BluetoothCentral
  var channel: UARTChannel?
  var connectCall: PendingReply?
  var timer: LoopTimer?
  /// Of the attempt.
  var began = MonotonicTime.now
  var upSince: MonotonicTime?
  /// What is to be counted when the board has left; nil when it leaves because we closed.
  var leavingBecause: BlueZError?
  var hasReceived = false
  /// bluetoothd has closed the notification descriptor.
  var hasDescriptorEnded = false
  /// BlueZ was made to forget the board's services, and has not shown the UART since.
  var hasRemoved = false
  var policy = NotificationPolicy()
  /// Notified before the services were known: bluetoothd subscribes again by itself after a reconnection.
  var early: [(characteristic: ObjectPath, bytes: [UInt8])] = []

  private static let maximumEarly = 64

  init(_ board: BoardSelector, _ service: UARTService, number: Int, central: BluetoothCentral) {
    self.board = board
    self.service = service
    self.number = number
    self.central = central
  }

  public var isUp: Bool { phase == .up }

  /// Why there is no connection; nil when there is one.
  public var obstacle: BlueZError? {
    if isUp { return nil }
    return central.status.problem ?? lastFailure ?? .notSeen
  }

  // MARK: The owner's calls

  public func open() {
    guard !isOpen else { return }
    isOpen = true
    lastFailure = nil
    guard phase == .closed else { return }
    phase = .waiting
    central.enroll(self)
  }

  /// Ends the connection or the attempt. Nothing is delivered after it returns.
  public func close() {
    guard isOpen else { return }
    isOpen = false
    switch phase {
    case .closed: break
    case .leaving: leavingBecause = nil
    case .waiting: retire()
    case .connecting, .resolving, .subscribing, .up:
      tearDown(.stopped)
      leave(because: nil)
    }
  }

  /// Sends one packet of at most the size that ``Event/up(maximumPacket:)`` told.
  ///
  /// - Parameter completion: Called once: with success when the system or, where the board answers writes, the
  ///   board took it; before this returns when that is known at once.
  public func send(_ packet: [UInt8], completion: @escaping @Loop (Result<Void, BlueZError>) -> Void) {
    guard isOpen, phase == .up, let channel else { return completion(.failure(.notConnected)) }
    channel.send(packet, completion: completion)
  }

  // MARK: What the central tells

  /// Whether the properties of a `Device1` are those of the board.
  func isMeant(by properties: [String: DBusValue]) -> Bool {
    switch board {
    case .address(let address): properties["Address"]?.string?.uppercased() == address.uppercased()
    case .name(let name): properties["Name"]?.string == name
    }
  }

  /// BlueZ shows the board connected, by nobody's call or by one that was given up.
  func linkAppeared() {
    guard phase == .waiting, isOpen else { return }
    began = .now
    established()
  }

  func servicesResolved() {
    if phase == .resolving { subscribe() }
  }

  /// BlueZ shows the board disconnected.
  func linkVanished() {
    switch phase {
    case .closed, .waiting, .connecting: break
    case .resolving, .subscribing, .up: fail(.dropped)
    case .leaving: hasLeft()
    }
  }

  /// BlueZ has removed the board's object.
  func deviceRemoved() {
    device = nil
    switch phase {
    case .closed, .waiting: break
    case .connecting, .resolving, .subscribing, .up: fail(.boardRemoved)
    case .leaving: hasLeft()
    }
  }

  /// The adapter, bluetoothd or the bus is gone.
  func unplugged(_ reason: BlueZError) {
    guard phase != .closed else { return }
    tearDown(reason)
    leavingBecause = nil
    upSince = nil
    phase = .waiting
    if isOpen { tell(reason) } else { retire() }
  }

  /// A value that BlueZ announced on the bus.
  func announced(_ bytes: [UInt8], by characteristic: ObjectPath) {
    if let channel {
      if channel.notifyPath == characteristic { channel.announced(bytes) }
    } else if phase == .connecting || phase == .resolving, early.count < Self.maximumEarly {
      early.append((characteristic, bytes))
    }
  }

  /// Reports a failure at the end of the turn.
  func tell(_ error: BlueZError) {
    lastFailure = error
    Loop.atTurnEnd {
      if self.isOpen { self.onStateChange(.down(error)) }
    }
  }

  func retire() {
    phase = .closed
    central.retire(self)
  }
}
