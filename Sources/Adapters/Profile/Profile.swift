public import DeviceModel

/// A board as its owner's profile describes it: the interpreter of the language.
///
/// It holds no more than what a message may need: the beginning of the next one, what is sent and not answered, and
/// the last value of each property.
public struct Profile: Adapter {
  let plan: ProfilePlan
  public var description: DeviceDescription { plan.description }

  var reader: FrameReader
  var isUp = false
  var maximumPacket: Int?
  /// When the board last said something that shows that it is well.
  var heardAt = Duration.zero
  /// When something last came or went.
  var activeAt = Duration.zero
  var hasFinished = false
  /// Timers that are set: each is looked at again when it runs out, whatever came and went meanwhile.
  var isQuietTimed = false
  var isFrameTimed = false
  /// Messages that end a session, as far as they have come.
  var seen: Set<Int> = []
  /// The last value of each property, of the board or, where it gives no evidence, of a command.
  var values: [PropertyKey: Value] = [:]

  var queue = ExchangeQueue()
  /// Unanswered in a row, by the poll's place.
  var misses: [Int: Int] = [:]
  var sends: UInt64 = 0
  /// Commands whose sends the link has not answered yet, by the number of the send.
  var underWay: [UInt64: ExchangeQueue.Order] = [:]

  /// For each message the values that some property is made of.
  let wanted: [[String]]

  enum Timer {
    static let answer = "answer"
    static let pause = "pause"
    static let silence = "silence"
    static let frame = "frame"
    static let quiet = "quiet"
    static func poll(_ index: Int) -> String { "poll \(index)" }
  }

  /// Without anything coming or going for so long, a session that is not held is over.
  static let quiet = Duration.seconds(1)

  init(_ plan: ProfilePlan) {
    self.plan = plan
    reader = FrameReader(plan.frame)
    wanted = plan.messages.indices.map { index in
      plan.properties.compactMap { property in
        property.message == nil || property.message == index ? property.field : nil
      }
    }
  }

  public mutating func handle(_ input: Input, at now: Moment, into outputs: inout [Output]) {
    let now = now.uptime
    switch input {
    case .linkUp(.board, let maximumPacket): begin(maximumPacket, at: now, into: &outputs)
    case .received(.board, let bytes): receive(bytes, at: now, into: &outputs)
    case .linkDown(.board, let reason): end(reason, into: &outputs)
    case .commands(let batch): accept(batch, at: now, into: &outputs)
    case .sent(let number): sent(number, into: &outputs)
    case .notSent(let number, let reason, let mayHaveArrived):
      notSent(number, .unsent(reason, mayHaveArrived: mayHaveArrived), at: now, into: &outputs)
    case .refresh: refresh(at: now, into: &outputs)
    case .transmit(let number, _):
      outputs.append(
        .reject(number, nil, Rejection(.unsupported, "this board takes commands, not bytes on tx")))
    case .timerFired(let name): timerFired(name, at: now, into: &outputs)
    default: break
    }
  }

  // MARK: the link

  private mutating func begin(_ maximumPacket: Int?, at now: Duration, into outputs: inout [Output]) {
    if isUp { end("it came up again", into: &outputs) }
    isUp = true
    self.maximumPacket = maximumPacket
    reader.reset()
    heardAt = now
    activeAt = now
    hasFinished = false
    seen = []
    misses = [:]
    if let silence = plan.silence { outputs.append(.setTimer(Timer.silence, after: silence)) }
    for exchange in plan.onConnect { queue.add(.init(exchange, .connect, parts: plan.parts(of: exchange))) }
    for index in plan.polls.indices {
      queue.add(
        .init(plan.polls[index].exchange, .poll(index), parts: plan.parts(of: plan.polls[index].exchange)))
      outputs.append(.setTimer(Timer.poll(index), after: plan.polls[index].interval))
    }
    proceed(at: now, into: &outputs)
  }

  private mutating func end(_ reason: String, into outputs: inout [Output]) {
    guard isUp else { return }
    isUp = false
    if reader.pending > 0 {
      outputs.append(.undecodable(bytes: reader.pending, "a message was not over when the link was"))
    }
    reader.reset()
    var refused: Set<UInt64> = []
    for order in queue.removeAll() + underWay.values.sorted(by: { $0.batch < $1.batch }) {
      guard refused.insert(order.batch).inserted else { continue }
      let rejection = Rejection(.linkError, "the link to the board ended: \(reason)")
      outputs.append(.reject(order.batch, order.property, rejection))
    }
    underWay = [:]
    isQuietTimed = false
    isFrameTimed = false
    let timers = [Timer.answer, Timer.pause, Timer.silence, Timer.frame, Timer.quiet]
    for timer in timers + plan.polls.indices.map(Timer.poll) { outputs.append(.cancelTimer(timer)) }
  }

  // MARK: time

  private mutating func timerFired(_ name: String, at now: Duration, into outputs: inout [Output]) {
    guard isUp else { return }
    switch name {
    case Timer.frame:
      isFrameTimed = false
      if activeAt + reader.wait <= now { reader.fallSilent() }
      read(at: now, into: &outputs)
    case Timer.answer: unanswered(at: now, into: &outputs)
    case Timer.pause:
      queue.isPausing = false
      proceed(at: now, into: &outputs)
    case Timer.silence:
      guard let silence = plan.silence else { return }
      let rest = heardAt + silence - now
      guard rest <= .zero else { return outputs.append(.setTimer(Timer.silence, after: rest)) }
      outputs.append(.sessionFailed(.board, "the board has said nothing for \(silence.configurationText)"))
    case Timer.quiet:
      isQuietTimed = false
      if queue.isEmpty, activeAt + Self.quiet <= now { finish(into: &outputs) }
      awaitQuiet(at: now, into: &outputs)
    default:
      guard let index = plan.polls.indices.first(where: { Timer.poll($0) == name }) else { return }
      outputs.append(.setTimer(name, after: plan.polls[index].interval))
      ask(index, at: now, into: &outputs)
    }
  }

  private mutating func ask(_ index: Int, at now: Duration, into outputs: inout [Output]) {
    guard !queue.has(poll: index) else { return }
    queue.add(
      .init(plan.polls[index].exchange, .poll(index), parts: plan.parts(of: plan.polls[index].exchange)))
    proceed(at: now, into: &outputs)
  }

  private mutating func refresh(at now: Duration, into outputs: inout [Output]) {
    guard isUp else { return }
    hasFinished = false
    for index in plan.polls.indices { ask(index, at: now, into: &outputs) }
    proceed(at: now, into: &outputs)
  }

  /// Sets the timer that ends a session when nothing comes or goes any more.
  mutating func awaitQuiet(at now: Duration, into outputs: inout [Output]) {
    guard !isQuietTimed, !hasFinished, plan.until.isEmpty else { return }
    isQuietTimed = true
    let rest = activeAt + Self.quiet - now
    outputs.append(.setTimer(Timer.quiet, after: rest > .zero ? rest : Self.quiet))
  }

  /// Ends a session that is not held when all that it is for is done.
  mutating func finishIfDone(into outputs: inout [Output]) {
    guard queue.isEmpty, underWay.isEmpty, !plan.until.isEmpty, seen.isSuperset(of: plan.until) else {
      return
    }
    finish(into: &outputs)
  }

  private mutating func finish(into outputs: inout [Output]) {
    guard !hasFinished else { return }
    hasFinished = true
    outputs.append(.sessionFinished(.board))
  }
}
