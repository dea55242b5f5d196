public import EventLoop

/// A board that plays a TV's volume keys as infra-red, with the TV that sees them.
@Loop public final class TVBoard: SimulatedPeripheral, Awaitable {
  public let advertisedName: String? = "UART"
  public let services = [SimulatedService.nus]
  /// 0…100.
  public private(set) var volume = 30
  public var isTVOn = true
  /// Packets from the central, in their order.
  public private(set) var received: [[UInt8]] = []
  /// Packets that are no command.
  public private(set) var nonsense = 0
  public let waits = Waits()
  private var link: SimulatedLink?

  public init() {}

  /// ``received`` as text.
  public var keys: String { received.map { String(decoding: $0, as: UTF8.self) }.joined() }

  public func connected(_ link: SimulatedLink) { self.link = link }

  public func written(_ bytes: [UInt8], to characteristic: String) {
    received.append(bytes)
    if received.count > 1000 { received.removeFirst(500) }
    switch bytes {
    case [UInt8(ascii: "I")]: if isTVOn { volume = min(volume + 1, 100) }
    case [UInt8(ascii: "D")]: if isTVOn { volume = max(volume - 2, 0) }
    default: nonsense += 1
    }
    waits.look()
  }

  public func disconnected() { link = nil }

  public func powerOff() {
    link?.drop()
    waits.end()
  }

  public var summary: String { "got \(keys)" }
}
