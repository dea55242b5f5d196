public import EventLoop

/// A board at work that describes itself: its sketch, its clock, and the link that it is on.
///
/// What carries its bytes is another's: ``SketchOnTCP``, ``SketchOnSerial``, ``SketchOnRadio``. It needs ``stop()``.
@Loop public final class SimulatedSketchBoard: Awaitable {
  public private(set) var sketch: SelfDescribingSketch
  /// The most that is sent at once; nil for all there is.
  public var packetSize: Int?
  /// Called with each command that the board has obeyed: `pump=1`.
  public var onObeyed: (@Loop (String) -> Void)?
  /// Called with each command that the sketch's judge refused.
  public var onRefused: (@Loop (String) -> Void)?
  /// Links so far.
  public private(set) var links = 0
  /// All that has come, the newest 20,000 bytes.
  public private(set) var receivedBytes: [UInt8] = []

  var transmit: (@Loop ([UInt8]) -> Void)?
  /// The sketch has begun on its link, whether or not somebody listens.
  private var isRunning = false
  private var timer: LoopTimer?
  public let waits = Waits()

  public init(_ sketch: SelfDescribingSketch) {
    self.sketch = sketch
    work()
  }

  public func stop() {
    timer?.cancel()
    timer = nil
    transmit = nil
    waits.end()
  }

  /// Does something with the sketch; what it has to say leaves at once.
  public func change(_ body: (inout SelfDescribingSketch) -> Void) {
    body(&sketch)
    flush()
  }

  /// New firmware, and a start of it; an identity that the board was given stays.
  public func flash(_ new: SelfDescribingSketch) {
    let identity = sketch.identity
    sketch = new
    if new.keepsIdentity, let identity { sketch.identity = identity }
    boot()
  }

  /// Power fails in the middle of a line and comes back; the link stays, as with a serial adapter of its own.
  ///
  /// - Parameter bytes: How much of a line about `key` still leaves.
  public func restart(in key: String, after bytes: Int) {
    if let index = sketch.entities.firstIndex(where: { $0.key == key }) {
      let line = SketchLines.framed(sketch.entities[index].valueLines(index)[0])
      transmit?(Array(line.prefix(bytes)))
    }
    boot()
  }

  private func boot() {
    guard transmit != nil else { return sketch.linkDown() }
    sketch.linkUp(at: now)
    flush()
  }

  // MARK: the link

  /// - Parameter restarts: The board notices that somebody is there, or starts anew with the link.
  func linkUp(restarts: Bool = true, _ transmit: @escaping @Loop ([UInt8]) -> Void) {
    self.transmit = transmit
    links += 1
    if restarts || !isRunning { sketch.linkUp(at: now) }
    isRunning = true
    flush()
  }

  /// - Parameter notices: The board knows that nobody is there.
  func linkDown(notices: Bool = true) {
    transmit = nil
    if notices {
      sketch.linkDown()
      isRunning = false
    }
    waits.look()
  }

  func received(_ bytes: [UInt8]) {
    receivedBytes += bytes
    if receivedBytes.count > 20_000 { receivedBytes.removeFirst(10_000) }
    let before = sketch.obeyed.count
    let refused = sketch.refused.count
    sketch.receive(bytes, at: now)
    for command in sketch.obeyed.dropFirst(before) { onObeyed?(command) }
    for command in sketch.refused.dropFirst(refused) { onRefused?(command) }
    flush()
  }

  private var now: Duration { .nanoseconds(MonotonicTime.now.nanoseconds) }

  private func work() {
    timer = LoopTimer(after: .milliseconds(50)) { [weak self] in
      self?.flush()
      self?.work()
    }
  }

  private func flush() {
    if let transmit {
      let bytes = sketch.turn(at: now)
      let size = packetSize ?? max(bytes.count, 1)
      for start in stride(from: 0, to: bytes.count, by: size) {
        transmit(Array(bytes[start..<min(start + size, bytes.count)]))
      }
    }
    waits.look()
  }

  public var summary: String { "heard \(sketch.isHeard), received \(sketch.received.suffix(20))" }
}
