public import DeviceModel

/// The TV volume leveller on a BLE UART: infra-red keys out, the room's sound in.
///
/// The board says nothing. The sound comes as samples from a capture command, or as levels on a topic.
public struct TVVolume: Adapter {
  public var description: DeviceDescription { TVVolumeProperty.description }

  let settings: TVVolumeSettings
  var control: VolumeControl
  var limit: KeyLimit
  private var blocks: SoundBlocks
  private var meanSquares: [Double] = []
  /// What the board has told of the code that it sees.
  var seen = InfraredAssembly()
  private var shown = PacedReadings(change: 0.5, interval: .seconds(1))

  var isUp = false
  var isMicrophoneUp = false
  var isLevelling = false
  var lastKey: VolumeControl.Key?
  private var soundAt: Duration?
  private var isWatching = false
  var orders: [UInt64: Order] = [:]
  private var sends: UInt64 = 0

  /// A key that is on its way.
  struct Order: Hashable, Sendable {
    var key: VolumeControl.Key
    var batch: UInt64?
    var property: PropertyKey
  }

  init(_ settings: TVVolumeSettings = TVVolumeSettings()) {
    self.settings = settings
    control = VolumeControl(wanted: Self.usualTarget, silence: settings.silence)
    limit = KeyLimit(most: settings.mostKeys, interval: settings.keyInterval)
    blocks = SoundBlocks(settings.format, frames: settings.block, channels: settings.channels)
  }

  static let usualTarget = -25.0

  enum Timing {
    /// A level is not known any more when no other has followed for this long.
    static let deafness = Duration.seconds(10)
    /// A key that could not be played by then is not wanted any more.
    static let staleness = Duration.seconds(2)
  }

  enum Timer {
    static let level = "level"
    static let deafness = "deafness"
  }

  public mutating func handle(_ input: Input, at now: Moment, into outputs: inout [Output]) {
    let uptime = now.uptime
    switch input {
    case .received(.microphone, let bytes): hear(bytes, at: uptime, into: &outputs)
    case .linkUp(.board, _):
      isUp = true
      limit.reset()
      reportSettings(into: &outputs)
    case .linkDown(.board, let reason): boardLost(reason, into: &outputs)
    case .linkUp(.microphone, _):
      isMicrophoneUp = true
      forgetSound(into: &outputs)
    case .linkDown(.microphone, let reason): microphoneLost(reason, into: &outputs)
    case .commands(let batch): accept(batch, at: uptime, into: &outputs)
    case .sent(let number): sent(number, into: &outputs)
    case .notSent(let number, let reason, let mayHaveArrived):
      notSent(number, reason, mayHaveArrived: mayHaveArrived, into: &outputs)
    case .timerFired(Timer.level): if shown.due(at: uptime) { reportLevel(into: &outputs) }
    case .timerFired(Timer.deafness): watch(at: uptime, into: &outputs)
    case .remembered(let value): restore(value, into: &outputs)
    case .received(.board, let bytes):
      if !bytes.isEmpty { outputs.append(.undecodable(bytes: bytes.count, "the board has nothing to say")) }
    case .transmit(let number, _):
      outputs.append(.reject(number, nil, Rejection(.unsupported, "a TV volume leveller takes no raw bytes")))
    default: break
    }
  }

  // MARK: sound

  private mutating func hear(_ bytes: [UInt8], at now: Duration, into outputs: inout [Output]) {
    guard isMicrophoneUp else { return }
    meanSquares.removeAll(keepingCapacity: true)
    blocks.receive(bytes, into: &meanSquares)
    for meanSquare in meanSquares {
      take(VolumeControl.level(meanSquare: meanSquare), at: now, into: &outputs)
    }
  }

  mutating func take(_ level: Double, at now: Duration, into outputs: inout [Output]) {
    soundAt = now
    if !isWatching {
      isWatching = true
      outputs.append(.setTimer(Timer.deafness, after: Timing.deafness))
    }
    let wish = control.take(level)
    if control.isContent { limit.reset() }
    if isLevelling, isUp, let wish { levelBy(wish, at: now, into: &outputs) }
    guard let level = control.isSilent ? VolumeControl.floor : control.smoothed else { return }
    switch shown.take([level], at: now) {
    case .report: reportLevel(into: &outputs)
    case .wait(let time): outputs.append(.setTimer(Timer.level, after: time))
    case .nothing: break
    }
  }

  private mutating func levelBy(_ key: VolumeControl.Key, at now: Duration, into outputs: inout [Output]) {
    // What a board that does not answer was asked for would all be played when it does.
    guard !orders.values.contains(where: { $0.batch == nil }) else { return }
    switch limit.ask(key, at: now) {
    case .press: press(key, batch: nil, into: &outputs)
    case .wait, .ignore: break
    case .atLimit:
      outputs.append(.event(TVVolumeProperty.limitEvent, ["key": .text(key.rawValue)]))
      outputs.append(
        .log(
          .warning,
          "\(settings.mostKeys) times volume \(key.rawValue) have not led to the level: the TV is at its limit,"
            + " or does not hear the board"))
    }
  }

  /// No level has come for a while: what was heard is not known any more.
  private mutating func watch(at now: Duration, into outputs: inout [Output]) {
    isWatching = false
    guard let soundAt else { return }
    guard now - soundAt >= Timing.deafness else {
      isWatching = true
      return outputs.append(.setTimer(Timer.deafness, after: Timing.deafness - (now - soundAt)))
    }
    forgetSound(into: &outputs)
  }

  private mutating func microphoneLost(_ reason: String, into outputs: inout [Output]) {
    guard isMicrophoneUp else { return }
    isMicrophoneUp = false
    forgetSound(into: &outputs)
    outputs.append(.event(TVVolumeProperty.microphoneEvent, ["reason": .text(reason)]))
  }

  private mutating func forgetSound(into outputs: inout [Output]) {
    soundAt = nil
    control.forget()
    blocks.forget()
    shown.reset()
    outputs.append(.cancelTimer(Timer.level))
    outputs.append(.report(TVVolumeProperty.level, .unknown))
  }

  private func reportLevel(into outputs: inout [Output]) {
    guard let level = shown.values?.first else { return }
    outputs.append(.report(TVVolumeProperty.level, .number((level * 10).rounded() / 10)))
  }

  // MARK: keys

  mutating func press(
    _ key: VolumeControl.Key, batch: UInt64?, into outputs: inout [Output]
  ) {
    sends += 1
    let property = key == .up ? TVVolumeProperty.volumeUp : TVVolumeProperty.volumeDown
    orders[sends] = Order(key: key, batch: batch, property: property)
    outputs.append(
      .send(
        .init(
          [UInt8(ascii: key == .up ? "I" : "D")], policy: .expires(Timing.staleness), number: sends)))
  }

  private mutating func sent(_ number: UInt64, into outputs: inout [Output]) {
    guard let order = orders.removeValue(forKey: number) else { return }
    lastKey = order.key
    outputs.append(.report(TVVolumeProperty.lastKey, .text(order.key.rawValue)))
    finishIfDone(into: &outputs)
  }

  private mutating func notSent(
    _ number: UInt64, _ reason: String, mayHaveArrived: Bool, into outputs: inout [Output]
  ) {
    guard let order = orders.removeValue(forKey: number) else { return }
    if let batch = order.batch {
      outputs.append(.reject(batch, order.property, .unsent(reason, mayHaveArrived: mayHaveArrived)))
    } else if !mayHaveArrived {
      limit.takeBack(order.key)
    }
    finishIfDone(into: &outputs)
  }

  /// A session that is not held is for its keys only.
  func finishIfDone(into outputs: inout [Output]) {
    if isUp, orders.isEmpty { outputs.append(.sessionFinished(.board)) }
  }

  private mutating func boardLost(_ reason: String, into outputs: inout [Output]) {
    guard isUp else { return }
    isUp = false
    seen = InfraredAssembly()
    for order in orders.sorted(by: { $0.key < $1.key }).map(\.value) {
      guard let batch = order.batch else { continue }
      let rejection = Rejection(.linkError, "the link to the board ended: \(reason)")
      outputs.append(.reject(batch, order.property, rejection))
    }
    orders.removeAll()
  }
}
