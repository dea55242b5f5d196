public import DeviceModel

/// Values of a board's own Bluetooth services as lasting entities, declared in the configuration.
///
/// Its link carries ``AttributeOrder`` and ``AttributeNews``. Each value is read when the link comes up, and then
/// notified, polled or left, as declared; nothing is read, subscribed to or written but what is declared. The board is
/// there once each of these first orders has its answer: no value of another connection is told as one of this.
public struct GATT: Adapter {
  public internal(set) var description: DeviceDescription

  let settings: GATTSettings
  var characteristics: [Watched]
  var information: DeviceInformation?
  var isUp = false
  /// Orders of the first round that have no answer yet.
  var unanswered = 0
  /// All that was asked at the beginning of this connection has its answer.
  var isKnown = false
  /// BlueZ was made to ask for the services anew; once is enough until all are there.
  var hasForgotten = false
  var isPollAwaited = false
  var writes: [UInt32: Write] = [:]
  var writeNumber: UInt32 = 0
  var complaints: Set<String> = []

  /// A declared characteristic, and what is known of it in this connection.
  struct Watched: Hashable, Sendable {
    var declared: DeclaredCharacteristic
    var bytes: [UInt8]?
    var isMissing = false
    var isNotified = false
    /// ``bytes`` are what was written, and the board has not told others.
    var isWritten = false
    /// A read is on its way.
    var isAsked = false
    /// When it is to be read again; nil for one that is not polled.
    var due: Duration?
  }

  struct Write: Hashable, Sendable {
    var batch: UInt64
    var place: Int
    var key: PropertyKey
    var bytes: [UInt8]
  }

  enum Timer {
    static let poll = "poll"
  }

  /// Writes without an answer; more are refused.
  static let mostWrites = 32
  static let mostComplaints = 100

  init(_ settings: GATTSettings) {
    self.settings = settings
    description = settings.description
    characteristics = settings.characteristics.map { Watched(declared: $0) }
    if settings.readsInformation { information = DeviceInformation() }
  }

  public mutating func handle(_ input: Input, at now: Moment, into outputs: inout [Output]) {
    switch input {
    case .linkUp(.board, _): begin(into: &outputs)
    case .linkDown(.board, let reason): end(reason, into: &outputs)
    case .received(.board, let bytes): receive(bytes, at: now.uptime, into: &outputs)
    case .commands(let batch): accept(batch, into: &outputs)
    case .refresh:
      for place in characteristics.indices { ask(place, into: &outputs) }
    case .timerFired(Timer.poll):
      isPollAwaited = false
      poll(at: now.uptime, into: &outputs)
    case .transmit(let number, _):
      outputs.append(.reject(number, nil, Rejection(.unsupported, "a GATT device takes no raw bytes")))
    default: break
    }
  }

  // MARK: a connection

  mutating func begin(into outputs: inout [Output]) {
    end("a new link is up", into: &outputs)
    isUp = true
    for place in characteristics.indices {
      // First the subscription: between the two a change would be missed the other way round.
      switch characteristics[place].declared.update {
      case .automatic, .notify: order(.subscribe(characteristics[place].declared.id), into: &outputs)
      case .onConnect, .poll: break
      }
      ask(place, into: &outputs)
    }
    for id in information?.characteristics ?? [] { order(.read(id), into: &outputs) }
  }

  mutating func end(_ reason: String, into outputs: inout [Output]) {
    guard isUp else { return }
    isUp = false
    isKnown = false
    unanswered = 0
    isPollAwaited = false
    outputs.append(.cancelTimer(Timer.poll))
    for place in characteristics.indices {
      characteristics[place].bytes = nil
      characteristics[place].isMissing = false
      characteristics[place].isNotified = false
      characteristics[place].isWritten = false
      characteristics[place].isAsked = false
      characteristics[place].due = nil
    }
    for write in writes.sorted(by: { $0.key < $1.key }).map(\.value) {
      outputs.append(.reject(write.batch, write.key, Rejection(.linkError, reason)))
    }
    writes = [:]
  }

  mutating func order(_ order: AttributeOrder, into outputs: inout [Output]) {
    unanswered += 1
    outputs.append(.send(.init(order.bytes)))
  }

  mutating func ask(_ place: Int, into outputs: inout [Output]) {
    guard isUp, !characteristics[place].isAsked, !characteristics[place].isMissing else { return }
    characteristics[place].isAsked = true
    order(.read(characteristics[place].declared.id), into: &outputs)
  }

  // MARK: polling

  mutating func schedule(_ place: Int, at now: Duration, into outputs: inout [Output]) {
    switch characteristics[place].declared.update {
    case .poll: break
    case .automatic where !characteristics[place].isNotified: break
    default: return
    }
    characteristics[place].due = now + settings.poll
    awaitPoll(at: now, into: &outputs)
  }

  /// One timer for all; it is looked at again when it runs out.
  mutating func awaitPoll(at now: Duration, into outputs: inout [Output]) {
    guard isUp, !isPollAwaited, let due = characteristics.compactMap(\.due).min() else { return }
    isPollAwaited = true
    outputs.append(.setTimer(Timer.poll, after: max(.zero, due - now)))
  }

  mutating func poll(at now: Duration, into outputs: inout [Output]) {
    guard isUp else { return }
    for place in characteristics.indices {
      guard let due = characteristics[place].due, due <= now else { continue }
      characteristics[place].due = nil
      ask(place, into: &outputs)
    }
    awaitPoll(at: now, into: &outputs)
  }
}
