public import DeviceModel
import DBus
public import EventLoop

/// All services of one board over Bluetooth LE.
///
/// Closed at first. Once open it connects, and again after each loss, until it is closed. What is asked of it is done
/// in its order, one after the other. Nothing is read from or written to a board but what is asked for.
@Loop public final class BluetoothPeripheral {
  public enum Event: Sendable {
    /// The services are listed.
    case up
    /// The connection ended, or an attempt failed and no other follows at once; unless closed, the next attempt
    /// comes by itself.
    case down(BlueZError)
  }

  public typealias Handle = GATTCharacteristic.Handle
  public typealias Completion = @Loop (Result<[UInt8], BlueZError>) -> Void

  /// Each notification of a characteristic that was subscribed to.
  public var onValue: @Loop (Handle, [UInt8]) -> Void = { _, _ in }
  /// Never called from within a call of the owner's.
  public var onStateChange: @Loop (Event) -> Void = { _ in }

  private let connection: BoardConnection
  private var peer: BlueZPeer?
  private var device: ObjectPath?
  private var queue: [Work] = []
  private var isWorking = false
  private var subscriptions: Set<Handle> = []

  /// What is asked of a board and not answered yet, at most.
  public static let maximumQueue = 128
  /// The board has 30 s for an answer by the attribute protocol, and BlueZ then says so.
  private static let deadline = Duration.seconds(40)

  private struct Work {
    var handle: Handle
    var method: String
    var arguments: [DBusValue]
    var completion: Completion
    var attempts = 0
  }

  init(_ connection: BoardConnection) {
    self.connection = connection
    connection.use = self
  }

  public var board: BoardSelector { connection.board }
  public var isOpen: Bool { connection.isOpen }
  public var isUp: Bool { connection.isUp }
  /// Why there is no connection; nil when there is one.
  public var obstacle: BlueZError? { connection.obstacle }

  public func open() { connection.open() }

  /// Ends the connection or the attempt. What was asked and not answered fails before this returns.
  public func close() { connection.close() }

  /// What BlueZ knows of the board, and how strongly it was heard last; nil before it was heard.
  public var advertisement: Advertisement? {
    guard let device = device ?? connection.device,
      let properties = connection.central.tree.properties(device, Interface.device)
    else { return nil }
    var advertisement = Advertisement(properties)
    if advertisement?.rssiDBm == nil { advertisement?.rssiDBm = connection.lastRSSI }
    return advertisement
  }

  /// How many bytes one packet of the connection holds; nil while not connected.
  public var mtu: Int? {
    guard isUp, let device else { return nil }
    let tree = connection.central.tree
    return tree.paths(with: Interface.characteristic, below: device).lazy
      .compactMap { tree.property($0, Interface.characteristic, "MTU")?.uint16 }.first.map(Int.init)
  }

  /// Empty while not connected.
  public var services: [GATTService] {
    guard isUp, let device else { return [] }
    return GATTService.all(of: device, in: connection.central.tree)
  }

  /// Reads a characteristic or a descriptor.
  public func read(_ handle: Handle, completion: @escaping Completion) {
    add(Work(handle: handle, method: "ReadValue", arguments: [.properties([:])], completion: completion))
  }

  /// - Parameter withResponse: The board acknowledges; else the completion says that the value left. Nil of a
  ///   descriptor.
  public func write(
    _ bytes: [UInt8], to handle: Handle, withResponse: Bool?, completion: @escaping Completion
  ) {
    var options: [String: DBusValue] = [:]
    if let withResponse { options["type"] = .string(withResponse ? "request" : "command") }
    add(
      Work(
        handle: handle, method: "WriteValue", arguments: [.bytes(bytes), .properties(options)],
        completion: completion))
  }

  /// Notifications, or indications, of a characteristic on or off.
  public func subscribe(_ handle: Handle, _ isOn: Bool, completion: @escaping Completion) {
    // The first value may come before the answer.
    if isOn { subscriptions.insert(handle) } else { subscriptions.remove(handle) }
    add(
      Work(handle: handle, method: isOn ? "StartNotify" : "StopNotify", arguments: []) { [weak self] result in
        if isOn, case .failure = result { self?.subscriptions.remove(handle) }
        completion(result)
      })
  }

  /// The services are not those that the board must have; BlueZ is made to ask for them anew, with the next
  /// connection.
  public func forgetServices() {
    if isUp { connection.forgetServices() }
  }

  // MARK: One after the other

  private func add(_ work: Work) {
    guard isUp else { return work.completion(.failure(.notConnected)) }
    guard queue.count < Self.maximumQueue else { return work.completion(.failure(.queueFull)) }
    queue.append(work)
    callNext()
  }

  private func callNext() {
    guard !isWorking, let work = queue.first, let peer else { return }
    guard let (path, interface) = object(work.handle) else {
      queue.removeFirst()
      work.completion(.failure(.attributeGone))
      return callNext()
    }
    isWorking = true
    peer.call(path, interface, work.method, work.arguments, deadline: Self.deadline) { [weak self] result in
      self?.answered(result)
    }
  }

  private func answered(_ result: Result<[DBusValue], BlueZError>) {
    guard isWorking, !queue.isEmpty else { return }
    if case .failure(.inProgress) = result, queue[0].attempts < 10 {
      // Another program does the same, or bluetoothd has not put the last connection's session away yet.
      queue[0].attempts += 1
      retry = LoopTimer(after: .milliseconds(200)) { [weak self] in
        self?.isWorking = false
        self?.callNext()
      }
      return
    }
    let work = queue.removeFirst()
    isWorking = false
    work.completion(result.map { $0.first?.bytes ?? [] })
    callNext()
  }

  private var retry: LoopTimer?

  private func object(_ handle: Handle) -> (ObjectPath, String)? {
    guard let device else { return nil }
    let tree = connection.central.tree
    for path in tree.paths(below: device) where GATTCharacteristic.handle(of: path) == handle {
      for interface in [Interface.characteristic, Interface.descriptor]
      where tree.properties(path, interface) != nil {
        return (path, interface)
      }
    }
    return nil
  }
}

extension BluetoothPeripheral: BoardUse {
  func prepare(_ device: ObjectPath, with peer: BlueZPeer) {
    self.peer = peer
    self.device = device
    guard !connection.central.tree.paths(with: Interface.service, below: device).isEmpty else {
      return connection.servicesMissing()
    }
    connection.ready()
    onStateChange(.up)
  }

  var hearsOnBus: Bool { !subscriptions.isEmpty }

  func announced(_ bytes: [UInt8], by characteristic: ObjectPath) {
    guard isUp, let handle = GATTCharacteristic.handle(of: characteristic), subscriptions.contains(handle)
    else { return }
    onValue(handle, bytes)
  }

  func end(_ reason: BlueZError, hasFailed: Bool) {
    peer = nil
    device = nil
    subscriptions = []
    isWorking = false
    retry?.cancel()
    let unanswered = queue
    queue = []
    for work in unanswered { work.completion(.failure(reason)) }
  }

  func failed(_ error: BlueZError) { onStateChange(.down(error)) }
}
