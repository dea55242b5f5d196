public import EventLoop

/// A self-describing board behind a Bluetooth LE UART.
@Loop public final class SketchOnRadio: SimulatedPeripheral {
  public let advertisedName: String?
  public let services: [SimulatedService]
  public let board: SimulatedSketchBoard
  private var link: SimulatedLink?

  /// The service by which such a board is known; to be among a board's advertised ones.
  public nonisolated static let announcement = "b7e1641b-5e7f-489f-8315-60817b4baaea"

  public init(
    _ sketch: SelfDescribingSketch, name: String? = "S2M", service: SimulatedService = .nus
  ) {
    advertisedName = name
    services = [service]
    board = SimulatedSketchBoard(sketch)
    board.packetSize = 20
  }

  public func stop() { board.stop() }

  /// Out of range, or off.
  public func drop() { link?.drop() }

  public func connected(_ link: SimulatedLink) {
    self.link = link
    board.linkUp { [weak link] bytes in link?.notify(bytes) }
  }

  public func written(_ bytes: [UInt8], to characteristic: String) { board.received(bytes) }

  public func disconnected() {
    link = nil
    board.linkDown()
  }
}
