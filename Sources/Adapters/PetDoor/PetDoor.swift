public import DeviceModel

/// The pet door's lock on a BLE UART, as the classic boards speak and newer ones may.
///
/// The board repeats its status as often as its loop turns: a notification that is the same as the one before is
/// known by its bytes alone and costs no decoding.
public struct PetDoor: Adapter {
  public var description: DeviceDescription { PetDoorProperty.description }

  private var decoder = PetDoorDecoder()
  private var pieces: [PetDoorDecoder.Piece] = []
  /// The last notification, when it held one status and nothing else, and nothing has happened since.
  private var repeated: [UInt8] = []

  private var isUp = false
  private var heardAt = Duration.zero
  private var hasStatus = false
  private var hasManualLock = false
  private var isFinished = false

  private var lock = LatchLock()
  private var temperature = SteadyTemperature()
  private var manualLock: Bool?

  /// The command whose effect is awaited.
  private var order: Order?
  private var sends: UInt64 = 0

  private struct Order: Hashable, Sendable {
    var send: UInt64
    var batch: UInt64
    var property: PropertyKey
    var isLocking: Bool
    var at: Duration
    var isSent = false
  }

  public init() {}

  enum Timing {
    /// For the latch to move.
    static let movement = Duration.seconds(5)
    /// For a first message.
    static let greeting = Duration.seconds(10)
    /// A board that has been heard is dead after this.
    static let silence = Duration.seconds(30)
  }

  enum Timer {
    static let movement = "movement"
    static let silence = "silence"
    static let temperature = "temperature"
  }

  public mutating func handle(_ input: Input, at now: Moment, into outputs: inout [Output]) {
    switch input {
    case .received(.board, let bytes): receive(bytes, at: now.uptime, into: &outputs)
    case .linkUp(.board, _):
      end("a new link is up", into: &outputs)
      isUp = true
      heardAt = now.uptime
      outputs.append(.setTimer(Timer.silence, after: Timing.greeting))
    case .linkDown(.board, let reason): end(reason, into: &outputs)
    case .commands(let batch): accept(batch, at: now.uptime, into: &outputs)
    case .sent(let number): sent(number, into: &outputs)
    case .notSent(let number, let reason, let mayHaveArrived):
      notSent(number, .unsent(reason, mayHaveArrived: mayHaveArrived), into: &outputs)
    case .timerFired(let name): timerFired(name, at: now.uptime, into: &outputs)
    case .transmit(let number, _):
      outputs.append(.reject(number, nil, Rejection(.unsupported, "a pet door takes no raw bytes")))
    default: break
    }
  }

  // MARK: the board

  private mutating func receive(_ bytes: [UInt8], at now: Duration, into outputs: inout [Output]) {
    guard isUp else { return }
    if bytes == repeated, !bytes.isEmpty {
      heardAt = now
      return outputs.append(.alive)
    }
    let wasBetweenMessages = decoder.isBetweenMessages
    pieces.removeAll(keepingCapacity: true)
    decoder.receive(bytes, into: &pieces)
    for piece in pieces {
      switch piece {
      case .garbage(let count): outputs.append(.undecodable(bytes: count, "no message of a pet door"))
      case .message(let message):
        heardAt = now
        outputs.append(.alive)
        take(message, at: now, into: &outputs)
      }
    }
    repeated.removeAll(keepingCapacity: true)
    if wasBetweenMessages, decoder.isBetweenMessages, pieces.count == 1, case .message(.status) = pieces[0] {
      repeated.append(contentsOf: bytes)
    }
    finishIfDone(into: &outputs)
  }

  private mutating func take(_ message: PetDoorMessage, at now: Duration, into outputs: inout [Output]) {
    switch message {
    case .manualLock(let isOn):
      hasManualLock = true
      manualLock = isOn
      reportManualLock(into: &outputs)
    case .status(let isOpen, let reading):
      if !hasStatus, !hasManualLock {
        // The board may have been reset since the last link, and forgets the lock then.
        manualLock = nil
        reportManualLock(into: &outputs)
      }
      hasStatus = true
      if lock.isOpen != isOpen {
        lock.latch(isOpen: isOpen)
        outputs.append(.report(PetDoorProperty.latch, .boolean(isOpen)))
      }
      if let order, order.isSent, order.isLocking != isOpen { complete(into: &outputs) }
      reportLock(into: &outputs)
      take(reading, at: now, into: &outputs)
    }
  }

  private mutating func take(_ reading: PetDoorTemperature, at now: Duration, into outputs: inout [Output]) {
    switch temperature.read(reading, at: now) {
    case .report: reportTemperature(into: &outputs)
    case .wait(let time): outputs.append(.setTimer(Timer.temperature, after: time))
    case .calm: outputs.append(.cancelTimer(Timer.temperature))
    case .nothing: break
    }
  }

  /// A session that is not held ends when there is a status and no movement is awaited.
  private mutating func finishIfDone(into outputs: inout [Output]) {
    guard hasStatus, order == nil, !isFinished else { return }
    isFinished = true
    outputs.append(.sessionFinished(.board))
  }

  // MARK: commands

  /// `lock` and `manual_lock` are two names of one thing: a batch writes it once.
  private mutating func accept(_ batch: CommandBatch, at now: Duration, into outputs: inout [Output]) {
    guard let command = batch.commands.first else { return }
    var wanted: Bool?
    for command in batch.commands {
      do throws(Rejection) {
        let isLocking = try Self.isLocking(command)
        guard wanted == nil || wanted == isLocking else {
          throw Rejection(.invalid, "lock and manual_lock contradict each other")
        }
        wanted = isLocking
      } catch {
        return outputs.append(.reject(batch.number, command.property, error))
      }
    }
    guard let isLocking = wanted else { return }
    guard isUp else {
      return outputs.append(.reject(batch.number, nil, Rejection(.away, "the board is not connected")))
    }
    sends += 1
    // Its lowest bit tells what it was when the send has left, even if a later one has taken its place.
    let send = sends << 1 | (isLocking ? 1 : 0)
    order = Order(
      send: send, batch: batch.number, property: command.property, isLocking: isLocking, at: now)
    isFinished = false
    repeated.removeAll(keepingCapacity: true)
    lock.command(isLocking: isLocking)
    reportLock(into: &outputs)
    outputs.append(
      .send(.init([UInt8(ascii: isLocking ? "1" : "0")], policy: .latest("lock"), number: send)))
    outputs.append(.setTimer(Timer.movement, after: Timing.movement))
  }

  private static func isLocking(_ command: Command) throws(Rejection) -> Bool {
    switch (command.property, command.verb, command.value) {
    case (PetDoorProperty.lock, .set, "LOCK"): return true
    case (PetDoorProperty.lock, .set, "UNLOCK"): return false
    case (PetDoorProperty.manualLock, .set, .boolean(let isOn)): return isOn
    default: break
    }
    guard let property = PetDoorProperty.description[command.property] else {
      throw Rejection(.unknownProperty, "a pet door has no property \(command.property)")
    }
    guard property.isSettable else { throw Rejection(.readOnly, "\(command.property) is only read") }
    guard command.verb == .set else {
      throw Rejection(.unsupported, "\(command.property) takes set only, not \(command.verb.rawValue)")
    }
    throw Rejection(.invalid, "\(command.property) does not take \(command.value.briefly.excerpt)")
  }

  /// The board does not answer: what left for it is assumed to hold.
  private mutating func sent(_ number: UInt64, into outputs: inout [Output]) {
    guard isUp, number >> 1 <= sends else { return }
    if order?.send == number { order?.isSent = true }
    manualLock = number & 1 == 1
    hasManualLock = true
    repeated.removeAll(keepingCapacity: true)
    reportManualLock(into: &outputs)
  }

  /// One that a later command has replaced is nobody's any more.
  private mutating func notSent(_ number: UInt64, _ rejection: Rejection, into outputs: inout [Output]) {
    guard let order, order.send == number, !order.isSent else { return }
    self.order = nil
    lock.abandon()
    outputs.append(.cancelTimer(Timer.movement))
    outputs.append(.reject(order.batch, order.property, rejection))
    reportLock(into: &outputs)
    finishIfDone(into: &outputs)
  }

  // MARK: time and the link

  private mutating func timerFired(_ name: String, at now: Duration, into outputs: inout [Output]) {
    switch name {
    case Timer.movement: movementOverdue(into: &outputs)
    case Timer.silence:
      guard isUp else { return }
      let patience = hasStatus || hasManualLock ? Timing.silence : Timing.greeting
      guard now - heardAt >= patience else {
        return outputs.append(.setTimer(Timer.silence, after: patience - (now - heardAt)))
      }
      outputs.append(.sessionFailed(.board, "the board has said nothing for \(patience.configurationText)"))
    case Timer.temperature:
      temperature.take(at: now)
      reportTemperature(into: &outputs)
    default: break
    }
  }

  /// The latch has had its time; a board that was silent meanwhile has said nothing about it.
  private mutating func movementOverdue(into outputs: inout [Output]) {
    guard let order else { return }
    guard order.isSent, heardAt > order.at else {
      return outputs.append(.setTimer(Timer.movement, after: .seconds(1)))
    }
    complete(into: &outputs)
    reportLock(into: &outputs)
    finishIfDone(into: &outputs)
  }

  private mutating func complete(into outputs: inout [Output]) {
    order = nil
    lock.settle()
    outputs.append(.cancelTimer(Timer.movement))
  }

  private mutating func end(_ reason: String, into outputs: inout [Output]) {
    guard isUp else { return }
    isUp = false
    decoder.reset()
    repeated.removeAll()
    hasStatus = false
    hasManualLock = false
    isFinished = false
    lock.abandon()
    temperature.forgetCandidate()
    if let order, !order.isSent {
      let rejection = Rejection(.linkError, "the link to the board ended: \(reason)")
      outputs.append(.reject(order.batch, order.property, rejection))
    }
    order = nil
    for timer in [Timer.movement, Timer.silence, Timer.temperature] { outputs.append(.cancelTimer(timer)) }
    reportLock(into: &outputs)
  }

  // MARK: reports

  private func reportLock(into outputs: inout [Output]) {
    outputs.append(.report(PetDoorProperty.lock, lock.state.map { .text($0.rawValue) } ?? .unknown))
  }

  private func reportManualLock(into outputs: inout [Output]) {
    outputs.append(.report(PetDoorProperty.manualLock, manualLock.map { .boolean($0) } ?? .unknown))
  }

  private func reportTemperature(into outputs: inout [Output]) {
    switch temperature.reported {
    case .known(let hundredths):
      outputs.append(.report(PetDoorProperty.temperature, .number(Double(hundredths) / 100)))
    case .fault: outputs.append(.report(PetDoorProperty.temperature, .unknown))
    case nil: break
    }
  }
}
