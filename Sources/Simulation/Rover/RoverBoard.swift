public import EventLoop

/// A classic rover behind an nRF8001: its program runs, and its wheels turn, whether or not a central is connected.
@Loop public final class RoverBoard: SimulatedPeripheral, Awaitable {
  public let advertisedName: String? = "UART"
  public let services = [SimulatedService.nus]
  public private(set) var sketch = RoverSketch()
  /// Something stands in front of it.
  public var isBlocked = false
  /// m/s².
  public var tiltAcross = 0.0
  public var tiltAlong = 0.0
  /// Packets from the central, in their order.
  public private(set) var received: [[UInt8]] = []
  /// Newer sketches stop by themselves when their link drops.
  public var stopsWithoutLink = false
  public let waits = Waits()

  private let turn: Duration
  private let checkInterval: Int
  private var turns = 0
  private var link: SimulatedLink?
  private var timer: LoopTimer?

  /// Starts the program.
  ///
  /// - Parameters:
  ///   - turn: Of its loop.
  ///   - checkInterval: In turns, between two tilts that it tells.
  public init(turn: Duration = .milliseconds(20), checkInterval: Int = 10) {
    self.turn = turn
    self.checkInterval = max(1, checkInterval)
    scheduleTurn()
  }

  public var wheels: RoverSketch.Wheels { sketch.wheels }
  /// ``received`` as text.
  public var commands: [String] { received.map { String(decoding: $0, as: UTF8.self) } }

  /// Ends the program, and its wheels.
  public func powerOff() {
    timer?.cancel()
    sketch = RoverSketch()
    link?.drop()
    waits.end()
  }

  public var summary: String { "got \(commands.suffix(20)), wheels \(wheels)" }

  public func connected(_ link: SimulatedLink) { self.link = link }

  public func written(_ bytes: [UInt8], to characteristic: String) {
    received.append(bytes)
    if received.count > 10_000 { received.removeFirst(5_000) }
    sketch.take(bytes)
    waits.look()
  }

  public func disconnected() {
    link = nil
    if stopsWithoutLink { sketch.take(Array("T=0".utf8)) }
    waits.look()
  }

  private func scheduleTurn() {
    timer = LoopTimer(after: turn) { [weak self] in
      guard let self else { return }
      scheduleTurn()
      sketch.turn(isBlocked: isBlocked)
      turns += 1
      if turns.isMultiple(of: checkInterval) {
        link?.notify(RoverSketch.tilt(across: tiltAcross, along: tiltAlong))
      }
      waits.look()
    }
  }
}
