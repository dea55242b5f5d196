import DBus
import EventLoop

/// The connection to one board: closed at first, and once open made and made again, with growing pauses, until it
/// is closed. What it is for is its use's affair: a serial port, or the board's attributes.
@Loop final class BoardConnection {
  let board: BoardSelector
  let number: ConnectScheduler.Board
  let central: BluetoothCentral
  weak var use: (any BoardUse)?
  /// Until the board has left, whatever its owner lets go of.
  private var user: (any BoardUse)?

  private(set) var isOpen = false
  /// Why the last attempt or connection since ``open()`` ended.
  var lastFailure: BlueZError?
  /// That came up.
  var connections = 0
  /// Attempts that did not, those with another at once after them included.
  var failedAttempts = 0

  /// `preparing` is the use's own part, between the list of services and being up.
  enum Phase { case closed, waiting, connecting, resolving, preparing, up, leaving }

  var phase = Phase.closed
  /// The board's object once known; set by the central alone.
  var device: ObjectPath?
  /// Of its last advertisement, dBm: BlueZ tells nothing of the kind while connected.
  var lastRSSI: Int?
  var connectCall: PendingReply?
  var timer: LoopTimer?
  /// Of the attempt.
  var began = MonotonicTime.now
  var upSince: MonotonicTime?
  /// What is to be counted when the board has left; nil when it leaves because we closed.
  var leavingBecause: BlueZError?

  init(_ board: BoardSelector, number: Int, central: BluetoothCentral) {
    self.board = board
    self.number = number
    self.central = central
  }

  var isUp: Bool { phase == .up }

  /// Why there is no connection; nil when there is one.
  var obstacle: BlueZError? {
    if isUp { return nil }
    return central.status.problem ?? lastFailure ?? .notSeen
  }

  // MARK: The owner's calls

  func open() {
    guard !isOpen else { return }
    isOpen = true
    lastFailure = nil
    guard phase == .closed else { return }
    phase = .waiting
    user = use
    central.enroll(self)
  }

  /// Ends the connection or the attempt. Nothing is delivered after it returns.
  func close() {
    guard isOpen else { return }
    isOpen = false
    switch phase {
    case .closed: break
    case .leaving: leavingBecause = nil
    case .waiting: retire()
    case .connecting, .resolving, .preparing, .up:
      tearDown(.stopped)
      leave(because: nil)
    }
  }

  /// The use can do its work.
  func ready() {
    guard phase == .preparing else { return }
    timer?.cancel()
    phase = .up
    upSince = .now
    connections += 1
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
    if phase == .resolving { prepare() }
  }

  /// BlueZ shows the board disconnected.
  func linkVanished() {
    switch phase {
    case .closed, .waiting, .connecting: break
    case .resolving, .preparing, .up: fail(.dropped)
    case .leaving: hasLeft()
    }
  }

  /// BlueZ has removed the board's object.
  func deviceRemoved() {
    device = nil
    switch phase {
    case .closed, .waiting: break
    case .connecting, .resolving, .preparing, .up: fail(.boardRemoved)
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

  var hearsOnBus: Bool { use?.hearsOnBus ?? false }

  /// A value that BlueZ announced on the bus.
  func announced(_ bytes: [UInt8], by characteristic: ObjectPath) {
    use?.announced(bytes, by: characteristic)
  }

  /// Reports a failure at the end of the turn.
  func tell(_ error: BlueZError) {
    lastFailure = error
    Loop.atTurnEnd {
      if self.isOpen { self.use?.failed(error) }
    }
  }

  func retire() {
    phase = .closed
    user = nil
    central.retire(self)
  }
}

/// What a connection is for.
@Loop protocol BoardUse: AnyObject {
  /// BlueZ has listed the services of `device`: what is needed is made ready, and then the connection told by
  /// ``BoardConnection/ready()`` or ``BoardConnection/fail(_:)``.
  func prepare(_ device: ObjectPath, with peer: BlueZPeer)
  /// Whether values come as signals on the bus, which must then not rest.
  var hearsOnBus: Bool { get }
  /// A value was announced on the bus, perhaps before there is anything to prepare.
  func announced(_ bytes: [UInt8], by characteristic: ObjectPath)
  /// Nothing of the board can be used any more; `hasFailed` when the board, not the owner or the adapter, ended it.
  func end(_ reason: BlueZError, hasFailed: Bool)
  /// To be told to the owner: a connection ended, or an attempt failed and no other follows at once.
  func failed(_ error: BlueZError)
}
