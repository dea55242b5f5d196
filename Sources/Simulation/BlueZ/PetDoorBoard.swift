public import EventLoop

/// A classic pet door behind an nRF8001: its program runs whether or not a central is connected.
@Loop public final class PetDoorBoard: SimulatedPeripheral, Awaitable {
  public let advertisedName: String? = "UART"
  public let services = [SimulatedService.nus]
  public var environment: PetDoorEnvironment
  public private(set) var sketch = PetDoorSketch()
  /// Packets from the central, in their order.
  public private(set) var received: [[UInt8]] = []
  /// One turn of the loop: with a 9-bit reading about ten a second.
  public var turn: Duration
  public let waits = Waits()

  private var link: SimulatedLink?
  private var timer: LoopTimer?

  /// Starts the program.
  public init(environment: PetDoorEnvironment = PetDoorEnvironment(), turn: Duration = .milliseconds(100)) {
    self.environment = environment
    self.turn = turn
    scheduleTurn()
  }

  public var overflow: PetDoorSketch.Overflow {
    get { sketch.overflow }
    set { sketch.overflow = newValue }
  }

  /// Ends the program.
  public func powerOff() {
    timer?.cancel()
    link?.drop()
    waits.end()
  }

  /// The reset button: the connection and the manual lock are gone.
  public func reset() {
    let overflow = sketch.overflow
    sketch = PetDoorSketch()
    sketch.overflow = overflow
    link?.drop()
  }

  public func connected(_ link: SimulatedLink) {
    self.link = link
    link.notify(sketch.greeting)
  }

  public func written(_ bytes: [UInt8], to characteristic: String) {
    received.append(bytes)
    if received.count > 1000 { received.removeFirst(500) }
    sketch.take(bytes)
    waits.look()
  }

  public func disconnected() { link = nil }

  public var summary: String {
    "received \(received.suffix(10).map { String(decoding: $0, as: UTF8.self) })"
  }

  private func scheduleTurn() {
    timer = LoopTimer(after: turn) { [weak self] in
      guard let self else { return }
      self.scheduleTurn()
      if let packet = self.sketch.turn(in: self.environment) {
        self.link?.notify(packet)
      } else {
        self.reset()
      }
      self.waits.look()
    }
  }
}
