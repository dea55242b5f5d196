/// The sketch of the Wi-Fi power plug: its memory, and what its loop does with it. No I/O.
///
/// Times are the true time, as durations since 1970 UTC; the sketch keeps its own clock, which may lag.
public struct ClassicPlugSketch: Equatable, Sendable {
  public let options: PlugSketchOptions
  /// N × 29 bytes on the SD card: outlives a power cut.
  public internal(set) var table: [UInt8]
  public private(set) var isPowered = true
  public private(set) var isManual = false
  public internal(set) var isOn = false
  /// Commands that get lost on the way into the sketch.
  public var lostCommands: PlugCommand.Kinds = []
  /// Bytes that were thrown away: glued commands, input without a client or power.
  public private(set) var droppedBytes = 0

  /// What the sketch's clock is behind the true time.
  private(set) var clockLag: Duration = .zero
  /// Whether starts are to be moved as soon as the clock is right.
  private var awaitsClock = false
  private var powerWasCutAt: Duration = .zero
  private var client = Client.none
  private var unfinished: [UInt8] = []
  var nextCheck: Duration
  /// What the clock showed at the check before; nil after a start.
  var previousCheckClock: UInt32?

  private enum Client { case none, unnoticed, served }

  /// What the sketch made of the bytes it received.
  public struct Reaction: Equatable, Sendable {
    public var commands: [PlugCommand] = []
    /// In order; each is one write of the sketch.
    public var messages: [[UInt8]] = []
  }

  /// A board that was just switched on with an empty table, its clock right, automatic and off.
  public init(options: PlugSketchOptions = .classic, startedAt time: Duration) {
    var options = options
    options.slots = max(0, options.slots)
    options.checkInterval = max(.milliseconds(1), options.checkInterval)
    self.options = options
    table = [UInt8](repeating: 0, count: options.slots * PlugSlot.size)
    nextCheck = time
  }

  /// The table by slots.
  public var slots: [PlugSlot] {
    stride(from: 0, to: table.count, by: PlugSlot.size).compactMap {
      PlugSlot(bytes: table[$0..<($0 + PlugSlot.size)])
    }
  }

  /// `S`, manual, on.
  public var status: [UInt8] { [UInt8(ascii: "S"), isManual ? 1 : 0, isOn ? 1 : 0] }

  /// Whether the sketch is busy with a client and leaves its schedule alone.
  var isBlocked: Bool { client == .served && !options.checksWhileConnected }
  var isServing: Bool { client == .served }

  /// A client is there; it replaces an earlier one. Returns what the sketch sends.
  public mutating func clientConnected() -> [[UInt8]] {
    guard isPowered else { return [] }
    unfinished = []
    client = options.greeting == .onConnect ? .served : .unnoticed
    return client == .served ? [status] : []
  }

  /// The client left. Checks that were due meanwhile are not made up for: one follows at once.
  public mutating func clientDisconnected(at time: Duration) {
    if isBlocked { nextCheck = max(nextCheck, time) }
    client = .none
    unfinished = []
  }

  /// The client's bytes, in pieces of any size.
  public mutating func receive(_ bytes: some Collection<UInt8>, at time: Duration) -> Reaction {
    var reaction = Reaction()
    guard isPowered, client != .none, !bytes.isEmpty else {
      droppedBytes += bytes.count
      return reaction
    }
    if client == .unnoticed {
      client = .served
      reaction.messages.append(status)
    }
    unfinished += bytes
    while let command = PlugCommand.take(from: &unfinished) {
      reaction.commands.append(command)
      if lostCommands.isDisjoint(with: command.kind) {
        reaction.messages += perform(command, at: time)
      }
      if options.gluedCommands == .firstServed {
        droppedBytes += unfinished.count
        unfinished = []
      }
    }
    return reaction
  }

  /// Puts `slot` on the SD card, as its owner did long ago; an index beyond the table is ignored.
  public mutating func put(_ slot: PlugSlot, at index: Int) {
    guard index >= 0, index < options.slots else { return }
    table.replaceSubrange((index * PlugSlot.size)..<((index + 1) * PlugSlot.size), with: slot.bytes)
  }

  /// Power is gone: the appliance is off, the client and all memory but the SD card are lost.
  public mutating func cutPower(at time: Duration) {
    guard isPowered else { return }
    isPowered = false
    powerWasCutAt = time
    isManual = false
    isOn = false
    client = .none
    unfinished = []
  }

  /// Power is back: automatic, and with the clock right, starts are moved by as many periods as needed.
  public mutating func returnPower(at time: Duration) {
    guard !isPowered else { return }
    isPowered = true
    previousCheckClock = nil
    nextCheck = time
    switch options.clockAfterPowerCut {
    case .isSetByNetwork: clockLag = .zero
    case .startsFromZero: clockLag = time
    case .continuesWhereItStopped: clockLag += time - powerWasCutAt
    }
    awaitsClock = clockLag != .zero
    if !awaitsClock { moveStarts(to: clock(at: time)) }
  }

  /// The network's time arrived.
  public mutating func synchroniseClock(at time: Duration) {
    guard isPowered else { return }
    clockLag = .zero
    if awaitsClock && !isManual { moveStarts(to: clock(at: time)) }
    awaitsClock = false
  }

  /// What the sketch's clock shows: seconds since 1970 UTC in 32 bits.
  public func clock(at time: Duration) -> UInt32 {
    UInt32(truncatingIfNeeded: (time - clockLag).components.seconds)
  }

  private mutating func perform(_ command: PlugCommand, at time: Duration) -> [[UInt8]] {
    let before = status
    switch command {
    case .table: return [[UInt8(ascii: "A")] + table]
    case .write(let slot, let content): put(content, at: tableIndex(slot))
    case .clear(let slot): clear(tableIndex(slot))
    case .state(let state): switchByHand(state, at: time)
    case .unknown: break
    }
    return options.reportsChanges && status != before ? [status] : []
  }

  private mutating func switchByHand(_ state: UInt8, at time: Duration) {
    switch (state, options.otherStates) {
    case (0, _):
      isOn = false
      if options.offCommand == .returnsToAutomatic { returnToAutomatic(at: time) } else { isManual = true }
    case (1, _), (_, .switchOn):
      isManual = true
      isOn = true
    case (2, .twoIsAutomatic):
      returnToAutomatic(at: time)
    default:
      break
    }
  }

  private mutating func returnToAutomatic(at time: Duration) {
    guard isManual else { return }
    isManual = false
    previousCheckClock = nil
    nextCheck = time
    moveStarts(to: clock(at: time))
  }

  private func tableIndex(_ slot: UInt8) -> Int {
    switch options.indexBeyondTable {
    case .ignored: Int(slot)
    case .wrapsAround: options.slots > 0 ? Int(slot) % options.slots : 0
    }
  }

  private mutating func clear(_ index: Int) {
    guard index < options.slots else { return }
    switch options.clearing {
    case .zeroesSlot: put(.free, at: index)
    case .zeroesFirstByte: table[index * PlugSlot.size] = 0
    }
  }
}
