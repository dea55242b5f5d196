import DBus
import EventLoop

/// The serial port of a connected board: first the subscription, then packets both ways.
@Loop final class UARTChannel {
  enum Event {
    case ready(maximumPacket: Int)
    case received([UInt8])
    /// bluetoothd closed the notification descriptor.
    case notificationsEnded
    case failed(BlueZError)
  }

  private let peer: BlueZPeer
  private let characteristics: UARTCharacteristics
  private let onEvent: @Loop (Event) -> Void
  private var reader: NotificationReader?
  private var writer: PacketWriter?
  private var isSubscribed = false
  private var isReady = false
  private var hasEnded = false
  private var mtu: Int
  /// Notified before the channel was ready: some boards speak as soon as they are connected.
  private var early: [[UInt8]] = []
  private var descriptor: OwnedDescriptor?
  private var retry: LoopTimer?

  private static let maximumEarly = 64
  /// The longest value of an attribute.
  private static let maximumValue = 512

  init(
    peer: BlueZPeer, characteristics: UARTCharacteristics, onEvent: @escaping @Loop (Event) -> Void
  ) {
    self.peer = peer
    self.characteristics = characteristics
    self.onEvent = onEvent
    mtu = characteristics.mtu
  }

  var notifyPath: ObjectPath { characteristics.notify }

  var isReading = true {
    didSet { reader?.isReading = isReading }
  }

  var hasUnsent: Bool { writer?.hasUnsent ?? false }

  /// Asks for notifications, then for a descriptor to write to.
  func start(byDescriptor: Bool) {
    if byDescriptor { acquireNotify() } else { startNotify(attempt: 1) }
    if characteristics.takesCommands { acquireWrite() } else { setWriter(nil) }
  }

  func send(_ bytes: [UInt8], completion: @escaping PacketWriter.Completion) {
    guard isReady, let writer else { return completion(.failure(.notConnected)) }
    guard bytes.count <= maximumPacket else {
      return completion(.failure(.packetTooLong(bytes: bytes.count, maximum: maximumPacket)))
    }
    writer.send(bytes, completion: completion)
  }

  /// Whether notifications come as signals on the bus. With a descriptor, that delivers them.
  var hearsOnBus: Bool { reader == nil && descriptor == nil }

  /// A value that BlueZ announced on the bus.
  func announced(_ bytes: [UInt8]) {
    if hearsOnBus { deliver(bytes) }
  }

  /// Closes the descriptors. What waits to be sent was not, by `reason`.
  func end(_ reason: BlueZError) {
    hasEnded = true
    retry?.cancel()
    reader?.end()
    reader = nil
    descriptor = nil
    writer?.end(reason)
    writer = nil
    early = []
  }

  private var maximumPacket: Int { min(max(mtu, 23) - 3, Self.maximumValue) }

  private func acquireNotify() {
    peer.call(characteristics.notify, Interface.characteristic, "AcquireNotify", [.properties([:])]) {
      [weak self] result in
      guard let self, !self.hasEnded else { return }
      switch result {
      case .success(let values):
        guard let descriptor = values.first?.descriptor, values.count == 2 else {
          return self.startNotify(attempt: 1)
        }
        self.mtu = values[1].uint16.map(Int.init) ?? self.mtu
        self.descriptor = descriptor
        self.subscribed()
      case .failure(let error) where error.endsSubscription: self.onEvent(.failed(error))
      case .failure: self.startNotify(attempt: 1)
      }
    }
  }

  /// Notifications as signals on the bus.
  func startNotify(attempt: Int) {
    peer.call(characteristics.notify, Interface.characteristic, "StartNotify") { [weak self] result in
      guard let self, !self.hasEnded else { return }
      switch result {
      case .success: self.subscribed()
      case .failure(.inProgress) where attempt < 10:
        // bluetoothd has not put the session of the connection before away yet.
        self.retry = LoopTimer(after: .milliseconds(200)) { [weak self] in
          self?.startNotify(attempt: attempt + 1)
        }
      case .failure(let error): self.onEvent(.failed(error))
      }
    }
  }

  private func acquireWrite() {
    peer.call(characteristics.write, Interface.characteristic, "AcquireWrite", [.properties([:])]) {
      [weak self] result in
      guard let self, !self.hasEnded else { return }
      guard case .success(let values) = result, let descriptor = values.first?.descriptor else {
        return self.setWriter(nil)
      }
      if case .uint16(let mtu)? = values.last { self.mtu = Int(mtu) }
      self.setWriter(descriptor)
    }
  }

  private func setWriter(_ descriptor: OwnedDescriptor?) {
    writer = PacketWriter(descriptor?.take() ?? -1, peer: peer, characteristics: characteristics)
    becomeReady()
  }

  private func subscribed() {
    isSubscribed = true
    becomeReady()
  }

  private func becomeReady() {
    guard isSubscribed, writer != nil, !isReady else { return }
    isReady = true
    onEvent(.ready(maximumPacket: maximumPacket))
    let waiting = early
    early = []
    for bytes in waiting where !hasEnded { onEvent(.received(bytes)) }
    if let descriptor, !hasEnded {
      self.descriptor = nil
      reader = NotificationReader(descriptor.take()) { [unowned self] in
        self.onEvent(.received($0))
      } onEnd: { [unowned self] in
        self.reader = nil
        self.onEvent(.notificationsEnded)
      }
      reader?.isReading = isReading
    }
  }

  private func deliver(_ bytes: [UInt8]) {
    if isReady {
      onEvent(.received(bytes))
    } else if early.count < Self.maximumEarly {
      early.append(bytes)
    }
  }
}

extension BlueZError {
  /// Whether another way to subscribe would fail as well.
  fileprivate var endsSubscription: Bool {
    switch self {
    case .notConnected, .boardRemoved, .serviceNotRunning, .busMissing, .stopped, .noAnswer, .pairingNeeded:
      true
    default: false
    }
  }
}
