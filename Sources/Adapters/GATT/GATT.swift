public import DeviceModel

/// Values of a board's own Bluetooth services as lasting entities, declared in the configuration.
///
/// Its link carries ``AttributeOrder`` and ``AttributeNews``. Each value is read when the link comes up, and then
/// notified, polled or left, as declared; nothing is read, subscribed to or written but what is declared.
public struct GATT: Adapter {
  public private(set) var description: DeviceDescription

  private let settings: GATTSettings
  private var characteristics: [Watched]
  private var information: DeviceInformation?
  private var isUp = false
  /// Orders of the first round that have no answer yet.
  private var unanswered = 0
  /// BlueZ was made to ask for the services anew; once is enough until all are there.
  private var hasForgotten = false
  private var isPollAwaited = false
  private var writes: [UInt32: Write] = [:]
  private var writeNumber: UInt32 = 0
  private var complaints: Set<String> = []

  /// A declared characteristic, and what is known of it in this connection.
  private struct Watched: Hashable, Sendable {
    var declared: DeclaredCharacteristic
    var bytes: [UInt8]?
    var isMissing = false
    var isNotified = false
    /// A read is on its way.
    var isAsked = false
    /// When it is to be read again; nil for one that is not polled.
    var due: Duration?
  }

  private struct Write: Hashable, Sendable {
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

  private mutating func begin(into outputs: inout [Output]) {
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

  private mutating func end(_ reason: String, into outputs: inout [Output]) {
    guard isUp else { return }
    isUp = false
    unanswered = 0
    isPollAwaited = false
    outputs.append(.cancelTimer(Timer.poll))
    for place in characteristics.indices {
      characteristics[place].isMissing = false
      characteristics[place].isNotified = false
      characteristics[place].isAsked = false
      characteristics[place].due = nil
    }
    for write in writes.sorted(by: { $0.key < $1.key }).map(\.value) {
      outputs.append(.reject(write.batch, write.key, Rejection(.linkError, reason)))
    }
    writes = [:]
  }

  private mutating func order(_ order: AttributeOrder, into outputs: inout [Output]) {
    unanswered += 1
    outputs.append(.send(.init(order.bytes)))
  }

  private mutating func ask(_ place: Int, into outputs: inout [Output]) {
    guard isUp, !characteristics[place].isAsked, !characteristics[place].isMissing else { return }
    characteristics[place].isAsked = true
    order(.read(characteristics[place].declared.id), into: &outputs)
  }

  // MARK: news

  private mutating func receive(_ bytes: [UInt8], at now: Duration, into outputs: inout [Output]) {
    guard isUp else { return }
    let news: AttributeNews
    do throws(AttributeFrameError) {
      news = try AttributeNews(bytes: bytes)
    } catch {
      return outputs.append(.undecodable(bytes: bytes.count, "no news of an attribute: \(error)"))
    }
    switch news {
    case .value(let id, let value): take(value, of: id, at: now, into: &outputs)
    case .subscribed(let id):
      answered()
      if let place = place(of: id) {
        characteristics[place].isNotified = true
        characteristics[place].due = nil
      }
    case .written(let number): written(number, into: &outputs)
    case .missing(let id, let operation): missing(id, operation, into: &outputs)
    case .refused(let id, let operation, let why): refused(id, operation, why, at: now, into: &outputs)
    }
    finishIfDone(at: now, into: &outputs)
  }

  private mutating func answered() { unanswered = max(0, unanswered - 1) }

  private func place(of id: AttributeID) -> Int? { characteristics.firstIndex { $0.declared.id == id } }

  private mutating func take(
    _ value: [UInt8], of id: AttributeID, at now: Duration, into outputs: inout [Output]
  ) {
    outputs.append(.alive)
    guard let place = place(of: id) else {
      guard information?.take(value, of: id) == true else { return }
      return answered()
    }
    if characteristics[place].isAsked {
      characteristics[place].isAsked = false
      answered()
      schedule(place, at: now, into: &outputs)
    }
    if characteristics[place].bytes == value { return }
    characteristics[place].bytes = value
    for entity in characteristics[place].declared.entities {
      do throws(AttributeError) {
        outputs.append(.report(entity.key, try entity.value(in: value)))
      } catch {
        outputs.append(.undecodable(bytes: value.count, "\(entity.key): \(error)"))
        outputs.append(.report(entity.key, .unknown))
      }
    }
  }

  private mutating func missing(
    _ id: AttributeID, _ operation: AttributeNews.Operation, into outputs: inout [Output]
  ) {
    if case .write(let number) = operation {
      return refuse(number, Rejection(.unsupported, "the board has no characteristic \(id)"), into: &outputs)
    }
    answered()
    guard let place = place(of: id) else { return }
    if operation == .read { characteristics[place].isAsked = false }
    guard !characteristics[place].isMissing else { return }
    characteristics[place].isMissing = true
    forgetValue(of: place, into: &outputs)
    if !characteristics[place].declared.isOptional {
      complain("the board has no characteristic \(id)", into: &outputs)
    }
  }

  private mutating func refused(
    _ id: AttributeID, _ operation: AttributeNews.Operation, _ why: String, at now: Duration,
    into outputs: inout [Output]
  ) {
    switch operation {
    case .write(let number): refuse(number, Rejection(.linkError, "\(id): \(why)"), into: &outputs)
    case .subscribe:
      answered()
      if let place = place(of: id), characteristics[place].declared.update == .notify {
        complain("\(id) cannot be subscribed to: \(why)", into: &outputs)
      }
    case .read:
      answered()
      guard let place = place(of: id), characteristics[place].isAsked else { return }
      characteristics[place].isAsked = false
      // Of one that only notifies nothing else can be expected.
      if !characteristics[place].isNotified { complain("\(id) cannot be read: \(why)", into: &outputs) }
      schedule(place, at: now, into: &outputs)
    }
  }

  private mutating func refuse(_ number: UInt32, _ rejection: Rejection, into outputs: inout [Output]) {
    guard let write = writes.removeValue(forKey: number) else { return }
    outputs.append(.reject(write.batch, write.key, rejection))
  }

  private mutating func forgetValue(of place: Int, into outputs: inout [Output]) {
    characteristics[place].bytes = nil
    for entity in characteristics[place].declared.entities { outputs.append(.report(entity.key, .unknown)) }
  }

  private mutating func complain(_ words: String, into outputs: inout [Output]) {
    guard complaints.count < Self.mostComplaints, complaints.insert(words).inserted else { return }
    outputs.append(.log(.warning, words))
  }

  /// All that was asked has its answer: whether the board is the one that was declared is known now.
  private mutating func finishIfDone(at now: Duration, into outputs: inout [Output]) {
    guard isUp, unanswered == 0 else { return }
    let lacking = characteristics.filter { $0.isMissing && !$0.declared.isOptional }
    if lacking.isEmpty {
      hasForgotten = false
    } else if !hasForgotten {
      hasForgotten = true
      unanswered += 1
      return outputs.append(.send(.init(AttributeOrder.forgetServices.bytes)))
    }
    if !characteristics.isEmpty, characteristics.allSatisfy(\.isMissing) {
      return outputs.append(.sessionFailed(.board, "the board has none of the declared characteristics"))
    }
    if let told = information?.description(of: description), told != description {
      description = told
      outputs.append(.describe(told))
    }
    if writes.isEmpty { outputs.append(.sessionFinished(.board)) }
  }

  // MARK: polling

  private mutating func schedule(_ place: Int, at now: Duration, into outputs: inout [Output]) {
    switch characteristics[place].declared.update {
    case .poll: break
    case .automatic where !characteristics[place].isNotified: break
    default: return
    }
    characteristics[place].due = now + settings.poll
    awaitPoll(at: now, into: &outputs)
  }

  /// One timer for all; it is looked at again when it runs out.
  private mutating func awaitPoll(at now: Duration, into outputs: inout [Output]) {
    guard isUp, !isPollAwaited, let due = characteristics.compactMap(\.due).min() else { return }
    isPollAwaited = true
    outputs.append(.setTimer(Timer.poll, after: max(.zero, due - now)))
  }

  private mutating func poll(at now: Duration, into outputs: inout [Output]) {
    guard isUp else { return }
    for place in characteristics.indices {
      guard let due = characteristics[place].due, due <= now else { continue }
      characteristics[place].due = nil
      ask(place, into: &outputs)
    }
    awaitPoll(at: now, into: &outputs)
  }

  // MARK: commands

  /// All of a batch is made into bytes first. Two parts of one characteristic are one write.
  private mutating func accept(_ batch: CommandBatch, into outputs: inout [Output]) {
    guard isUp else {
      return outputs.append(.reject(batch.number, nil, Rejection(.away, "the board is not connected")))
    }
    var orders: [Write] = []
    for command in batch.commands {
      do throws(Rejection) {
        let (place, entity) = try target(of: command)
        let earlier = orders.firstIndex { $0.place == place }
        let present = earlier.map { orders[$0].bytes } ?? characteristics[place].bytes
        let bytes = try entity.bytes(of: command.value, in: present)
        if let earlier {
          orders[earlier].bytes = bytes
        } else {
          orders.append(Write(batch: batch.number, place: place, key: command.property, bytes: bytes))
        }
      } catch {
        return outputs.append(.reject(batch.number, command.property, error))
      }
    }
    guard writes.count + orders.count <= Self.mostWrites else {
      return outputs.append(
        .reject(batch.number, nil, Rejection(.busy, "\(writes.count) writes have no answer yet")))
    }
    for write in orders {
      // 0 is what carries no number.
      writeNumber = writeNumber == .max ? 1 : writeNumber + 1
      writes[writeNumber] = write
      let id = characteristics[write.place].declared.id
      outputs.append(.send(.init(AttributeOrder.write(id, write.bytes, number: writeNumber).bytes)))
    }
  }

  private func target(of command: Command) throws(Rejection) -> (Int, AttributeEntity) {
    for (place, characteristic) in characteristics.enumerated() {
      guard let entity = characteristic.declared.entities.first(where: { $0.key == command.property }) else {
        continue
      }
      guard entity.isWritable else { throw Rejection(.readOnly, "\(command.property) is only read") }
      guard command.verb == .set else {
        throw Rejection(.unsupported, "\(command.property) takes set only, not \(command.verb.rawValue)")
      }
      return (place, entity)
    }
    throw Rejection(.unknownProperty, "the device has no property \(command.property)")
  }

  /// The board's word counts, where it gives one; of a value that is only written what was written does.
  private mutating func written(_ number: UInt32, into outputs: inout [Output]) {
    guard let write = writes.removeValue(forKey: number) else { return }
    outputs.append(.alive)
    characteristics[write.place].bytes = write.bytes
    for entity in characteristics[write.place].declared.entities {
      if let value = try? entity.value(in: write.bytes) { outputs.append(.report(entity.key, value)) }
    }
    ask(write.place, into: &outputs)
  }
}
