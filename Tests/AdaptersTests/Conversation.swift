import DeviceModel

/// An adapter in talk with a test: keeps its clock and its timers, and remembers what it reported.
struct Conversation {
  var adapter: any Adapter
  var now: Moment
  private(set) var timers: [String: Duration] = [:]
  private(set) var state: [PropertyKey: Value] = [:]
  /// The same as the state, but only what differed from the value before.
  private(set) var changes: [(key: PropertyKey, value: Value)] = []
  private(set) var isUp = false

  init(_ adapter: any Adapter, at wall: String = "2026-11-30T07:00:00Z") {
    self.adapter = adapter
    now = Moment(uptime: .seconds(1000), wall: Timestamp(iso8601: wall) ?? Timestamp(seconds: 0))
  }

  @discardableResult
  mutating func feed(_ input: Input) -> [Output] {
    var outputs: [Output] = []
    adapter.handle(input, at: now, into: &outputs)
    for output in outputs { note(output) }
    return outputs
  }

  /// Time passes, and timers run out in their order.
  @discardableResult
  mutating func pass(_ duration: Duration) -> [Output] {
    let end = now.uptime + duration
    var outputs: [Output] = []
    while let (name, deadline) = timers.min(by: { ($0.value, $0.key) < ($1.value, $1.key) }), deadline <= end
    {
      timers[name] = nil
      now = now.advanced(by: deadline - now.uptime)
      outputs += feed(.timerFired(name))
    }
    now = now.advanced(by: end - now.uptime)
    return outputs
  }

  /// - Parameter maximumPacket: Nil for a stream.
  mutating func connect(_ maximumPacket: Int? = nil) -> [Output] {
    isUp = true
    return feed(.linkUp(.board, maximumPacket: maximumPacket))
  }

  @discardableResult
  mutating func disconnect(_ reason: String = "closed") -> [Output] {
    isUp = false
    return feed(.linkDown(.board, reason))
  }

  mutating func receive(_ bytes: [UInt8]) -> [Output] { feed(.received(.board, bytes)) }
  mutating func receive(_ text: String) -> [Output] { feed(.received(.board, Array(text.utf8))) }

  mutating func command(_ number: UInt64, _ commands: Command...) -> [Output] {
    feed(.commands(CommandBatch(number: number, commands)))
  }

  private mutating func note(_ output: Output) {
    switch output {
    case .setTimer(let name, let delay): timers[name] = now.uptime + delay
    case .setTimerWhenKept(let name): timers[name] = now.uptime
    case .cancelTimer(let name): timers[name] = nil
    case .report(let key, let value):
      if state[key] != value { changes.append((key, value)) }
      state[key] = value
    default: break
    }
  }
}

extension [Output] {
  var sent: [[UInt8]] {
    compactMap { if case .send(let send) = $0 { send.bytes } else { nil } }
  }

  var rejections: [(number: UInt64, property: PropertyKey?, rejection: Rejection)] {
    compactMap { if case .reject(let number, let key, let why) = $0 { (number, key, why) } else { nil } }
  }

  var reasons: [Rejection.Reason] { rejections.map(\.rejection.reason) }

  var undecodableBytes: Int {
    reduce(0) { if case .undecodable(let count, _) = $1 { $0 + count } else { $0 } }
  }

  var isFinished: Bool { contains(.sessionFinished(.board)) }
  var hasFailed: Bool { contains { if case .sessionFailed = $0 { true } else { false } } }
  var reconnects: Bool { contains { if case .reconnect = $0 { true } else { false } } }
}
