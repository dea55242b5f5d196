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

  /// Whether bluetoothd has not taken a packet yet.
  public var hasUnsent: Bool { channel?.hasUnsent ?? false }

  private let connection: BoardConnection
  private var channel: UARTChannel?
  private var hasReceived = false
  /// bluetoothd has closed the notification descriptor; the connection may be about to end, or not.
  private var descriptorEnd: LoopTimer?
  /// BlueZ was made to forget the board's services, and has not shown the UART since.
  private var hasRemoved = false
  private var policy = NotificationPolicy()
  /// Notified before the services were known: bluetoothd subscribes again by itself after a reconnection.
  private var early: [(characteristic: ObjectPath, bytes: [UInt8])] = []

  private static let maximumEarly = 64

  init(_ connection: BoardConnection, _ service: UARTService) {
    self.connection = connection
    self.service = service
    connection.use = self
  }

  public var board: BoardSelector { connection.board }
  public var isOpen: Bool { connection.isOpen }
  public var isUp: Bool { connection.isUp }
  /// Why the last attempt or connection since ``open()`` ended.
  public var lastFailure: BlueZError? { connection.lastFailure }
  /// Connections that came up.
  public var connections: Int { connection.connections }
  /// Attempts that did not, those with another at once after them included.
  public var failedAttempts: Int { connection.failedAttempts }
  /// Why there is no connection; nil when there is one.
  public var obstacle: BlueZError? { connection.obstacle }

  public func open() { connection.open() }

  /// Ends the connection or the attempt. Nothing is delivered after it returns.
  public func close() { connection.close() }

  /// Sends one packet of at most the size that ``Event/up(maximumPacket:)`` told.
  ///
  /// - Parameter completion: Called once: with success when the system or, where the board answers writes, the
  ///   board took it; before this returns when that is known at once.
  public func send(_ packet: [UInt8], completion: @escaping @Loop (Result<Void, BlueZError>) -> Void) {
    guard isOpen, isUp, let channel else { return completion(.failure(.notConnected)) }
    channel.send(packet, completion: completion)
  }
}

extension BluetoothUART: BoardUse {
  func prepare(_ device: ObjectPath, with peer: BlueZPeer) {
    let characteristics: UARTCharacteristics
    do throws(UARTCharacteristics.Missing) {
      characteristics = try UARTCharacteristics(of: service, at: device, in: connection.central.tree)
    } catch {
      return uartMissing(error, at: device)
    }
    hasRemoved = false
    let channel = UARTChannel(peer: peer, characteristics: characteristics) { [unowned self] in self.take($0)
    }
    self.channel = channel
    for value in early where value.characteristic == characteristics.notify { channel.announced(value.bytes) }
    early = []
    channel.start(byDescriptor: policy.usesDescriptor)
  }

  var hearsOnBus: Bool { channel?.hearsOnBus ?? false }

  func announced(_ bytes: [UInt8], by characteristic: ObjectPath) {
    if let channel {
      if channel.notifyPath == characteristic { channel.announced(bytes) }
    } else if connection.phase == .connecting || connection.phase == .resolving,
      early.count < Self.maximumEarly
    {
      early.append((characteristic, bytes))
    }
  }

  func end(_ reason: BlueZError, hasFailed: Bool) {
    if hasFailed, descriptorEnd != nil, let upSince = connection.upSince {
      policy.endedWithConnection(after: upSince.duration(to: .now), hasReceived: hasReceived)
    }
    descriptorEnd?.cancel()
    descriptorEnd = nil
    early = []
    let channel = channel
    self.channel = nil
    channel?.end(reason)
  }

  func failed(_ error: BlueZError) { onStateChange(.down(error)) }

  /// A list without the UART is an old one of BlueZ', the board's real one, or no list at all.
  private func uartMissing(_ missing: UARTCharacteristics.Missing, at device: ObjectPath) {
    guard case .uart(let found) = missing else { return connection.servicesMissing() }
    if hasRemoved { return connection.fail(.uartMissing(wanted: service.service, found: found)) }
    hasRemoved = connection.forgetServices()
  }

  private func take(_ event: UARTChannel.Event) {
    switch event {
    case .received(let bytes):
      hasReceived = true
      onReceive(bytes)
    case .ready(let maximumPacket):
      connection.ready()
      hasReceived = false
      isReading = true
      onStateChange(.up(maximumPacket: maximumPacket))
    case .notificationsEnded: notificationsEnded()
    case .failed(let error): connection.fail(error)
    }
  }

  /// Either the connection ended, which BlueZ announces within a moment, or this board's notifications do not
  /// work by descriptor.
  private func notificationsEnded() {
    guard isUp else { return }
    descriptorEnd = LoopTimer(after: connection.central.settings.timing.disconnectGrace) { [weak self] in
      guard let self, isUp else { return }
      descriptorEnd = nil
      policy.endedAlone()
      channel?.startNotify(attempt: 1)
    }
  }
}
