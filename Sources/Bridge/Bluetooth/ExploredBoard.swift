import BlueZ
import DeviceModel
import EventLoop

/// A board that is connected because somebody asked for it, until it is disconnected, lost, or nobody uses it.
@Loop final class ExploredBoard {
  let peripheral: BluetoothPeripheral
  /// With colons and capitals, once known.
  private(set) var address: String?
  private let turn = Turn(limit: 32)
  private let idle: Duration
  private var idleTimer: LoopTimer?
  private var users = 0
  private var subscribed: [UInt16: Subscription] = [:]
  /// Operations that the board refused to a central that is not paired.
  private var refused: [UInt16: Set<String>] = [:]
  private var arrival: CheckedContinuation<BlueZError?, Never>?
  private var hasEnded = false

  /// A notified value.
  var onValue: @Loop (_ characteristic: GATTCharacteristic, _ encoding: String, [UInt8]) -> Void = {
    _, _, _ in
  }
  /// The connection is over: with the reason when it was lost, nil when nobody used it.
  var onEnd: @Loop (BlueZError?) -> Void = { _ in }

  private struct Subscription {
    var characteristic: GATTCharacteristic
    var encoding: String
  }

  init(_ peripheral: BluetoothPeripheral, idle: Duration) {
    self.peripheral = peripheral
    self.idle = idle
    peripheral.onStateChange = { [weak self] in self?.take($0) }
    peripheral.onValue = { [weak self] handle, bytes in
      guard let self, let subscription = subscribed[handle] else { return }
      onValue(subscription.characteristic, subscription.encoding, bytes)
    }
  }

  /// Does `body` when all that was asked of the board before is done.
  func inTurn<Answer: Sendable>(
    _ body: @Loop (ExploredBoard) async throws(ExplorerError) -> Answer
  ) async throws(ExplorerError) -> Answer {
    guard !turn.isFull else { throw .tooManyRequests }
    users += 1
    idleTimer?.cancel()
    await turn.take()
    defer {
      turn.pass()
      users -= 1
      restIfUnused()
    }
    return try await body(self)
  }

  /// One attempt, unless it is connected.
  func connect(within limit: Duration) async throws(ExplorerError) {
    guard !hasEnded else { throw .bluetooth(.notConnected) }
    if peripheral.isUp { return }
    let deadline = LoopTimer(after: limit) { [weak self] in
      guard let self else { return }
      arrived(peripheral.obstacle ?? .notSeen)
    }
    let failure = await Loop.suspend { (arrival: CheckedContinuation<BlueZError?, Never>) in
      guard !hasEnded else { return arrival.resume(returning: .notConnected) }
      self.arrival = arrival
      peripheral.open()
    }
    deadline.cancel()
    if let failure {
      end()
      throw .bluetooth(failure)
    }
    address = peripheral.advertisement?.address
  }

  /// Leaves the board; what is asked of it and has no answer fails.
  func end() {
    guard !hasEnded else { return }
    hasEnded = true
    idleTimer?.cancel()
    subscribed = [:]
    arrived(.stopped)
    peripheral.close()
  }

  private func take(_ event: BluetoothPeripheral.Event) {
    switch event {
    case .up: arrived(nil)
    case .down(let error):
      if arrival != nil { return arrived(error) }
      guard !hasEnded else { return }
      end()
      onEnd(error)
    }
  }

  private func arrived(_ failure: BlueZError?) {
    let waiting = arrival
    arrival = nil
    waiting?.resume(returning: failure)
  }

  /// Whose values are wanted is in use.
  private func restIfUnused() {
    guard users == 0, subscribed.isEmpty, !hasEnded else { return }
    idleTimer = LoopTimer(after: idle) { [weak self] in
      guard let self, users == 0, subscribed.isEmpty else { return }
      end()
      onEnd(nil)
    }
  }

  // MARK: attributes

  func read(_ handle: UInt16) async throws(ExplorerError) -> [UInt8] {
    let result = await Loop.suspend { done in peripheral.read(handle) { done.resume(returning: $0) } }
    return try answer(result, handle, "read")
  }

  func write(_ bytes: [UInt8], to handle: UInt16, withResponse: Bool) async throws(ExplorerError) {
    let result = await Loop.suspend { done in
      peripheral.write(bytes, to: handle, withResponse: withResponse) { done.resume(returning: $0) }
    }
    _ = try answer(result, handle, "write")
  }

  func notify(_ characteristic: GATTCharacteristic, _ isOn: Bool, encoding: String)
    async throws(ExplorerError)
  {
    let handle = characteristic.handle
    guard isOn else {
      guard subscribed.removeValue(forKey: handle) != nil else { return }
      _ = await Loop.suspend { done in peripheral.subscribe(handle, false) { done.resume(returning: $0) } }
      return
    }
    let isNew =
      subscribed.updateValue(
        Subscription(characteristic: characteristic, encoding: encoding), forKey: handle) == nil
    guard isNew else { return }
    let result = await Loop.suspend { done in
      peripheral.subscribe(handle, true) { done.resume(returning: $0) }
    }
    if case .failure = result { subscribed[handle] = nil }
    _ = try answer(result, handle, "notify")
  }

  func needsPairing(_ handle: UInt16) -> Set<String> { refused[handle] ?? [] }

  private func answer(
    _ result: Result<[UInt8], BlueZError>, _ handle: UInt16, _ operation: String
  ) throws(ExplorerError) -> [UInt8] {
    switch result {
    case .success(let bytes): return bytes
    case .failure(let error):
      if error == .pairingNeeded { refused[handle, default: []].insert(operation) }
      throw .bluetooth(error)
    }
  }
}
