public import EventLoop

/// A classic garage door behind an nRF8001: its program runs whether or not a central is connected.
@Loop public final class GarageBoard: SimulatedPeripheral, Awaitable {
  public let advertisedName: String? = "UART"
  public let services = [SimulatedService.nus]
  /// Packets from the central, in their order.
  public private(set) var received: [[UInt8]] = []
  /// Called at each pulse of the relay.
  public var onPulse: @Loop (GarageSketch.Door) -> Void = { _ in }

  public let waits = Waits()

  private var program: GarageSketch
  private var link: SimulatedLink?
  private var timer: LoopTimer?
  private let start = MonotonicTime.now

  /// Starts the program.
  public init(_ sketch: GarageSketch) { program = sketch }

  /// The program as it is now.
  public var sketch: GarageSketch {
    turn()
    return program
  }

  /// Ends the program.
  public func powerOff() {
    timer?.cancel()
    link?.drop()
    waits.end()
  }

  public func connected(_ link: SimulatedLink) { self.link = link }

  public func written(_ bytes: [UInt8], to characteristic: String) {
    received.append(bytes)
    if received.count > 1000 { received.removeFirst(500) }
    turn()
    let before = program.pulses.count
    let answers = program.take(bytes)
    if program.pulses.count > before { onPulse(program.door) }
    for answer in answers { link?.notify(answer) }
    schedule()
    waits.look()
  }

  public func disconnected() { link = nil }

  public var summary: String {
    "the door is \(program.door), received \(received.suffix(10).map { String(decoding: $0, as: UTF8.self) })"
  }

  private var now: Duration { start.duration(to: .now) }

  private func turn() {
    let before = program.pulses.count
    program.pass(to: now)
    if program.pulses.count > before { onPulse(program.door) }
  }

  private func schedule() {
    timer?.cancel()
    guard let next = program.nextTurn else { return }
    timer = LoopTimer(after: max(.zero, next - now)) { [weak self] in
      self?.turn()
      self?.schedule()
      self?.waits.look()
    }
  }
}
