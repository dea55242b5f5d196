public import EventLoop

/// A board that is nothing but a UART: it keeps what is written to it and says what it is told, or all back.
@Loop public final class RawUARTBoard: SimulatedPeripheral, Awaitable {
  public let advertisedName: String?
  public var services: [SimulatedService]
  /// Sends each packet back as it came.
  public var isEcho: Bool
  /// Said from the connect callback, mostly before anybody listens.
  public var greeting: [UInt8]?
  public private(set) var received: [[UInt8]] = []
  public private(set) var link: SimulatedLink?
  public private(set) var connections = 0
  /// Called with each packet.
  public var onPacket: @Loop ([UInt8]) -> Void = { _ in }
  public let waits = Waits()

  public init(name: String? = "UART", service: SimulatedService = .nus, isEcho: Bool = false) {
    advertisedName = name
    services = [service]
    self.isEcho = isEcho
  }

  /// Notifies the central; nothing without one.
  public func say(_ bytes: [UInt8]) { link?.notify(bytes) }

  public var summary: String {
    "\(connections) connections, received \(received.suffix(10).map { String(decoding: $0, as: UTF8.self) })"
  }

  public func say(_ text: String) { say(Array(text.utf8)) }

  public func connected(_ link: SimulatedLink) {
    self.link = link
    connections += 1
    if let greeting { link.notify(greeting) }
    waits.look()
  }

  public func written(_ bytes: [UInt8], to characteristic: String) {
    received.append(bytes)
    if received.count > 10_000 { received.removeFirst(5_000) }
    onPacket(bytes)
    if isEcho { link?.notify(bytes) }
    waits.look()
  }

  public func disconnected() { link = nil }
}
