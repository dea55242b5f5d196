import DeviceModel

extension Profile {
  /// All of a batch is made ready, or nothing of it is sent.
  mutating func accept(_ batch: CommandBatch, at now: Duration, into outputs: inout [Output]) {
    guard !batch.commands.isEmpty else { return }
    guard isUp else {
      return outputs.append(.reject(batch.number, nil, Rejection(.away, "the board is not connected")))
    }
    var known = values
    var items: [ExchangeQueue.Item] = []
    for command in batch.commands {
      do throws(Rejection) {
        items.append(
          try plan.item(for: command, of: batch.number, known: known, maximumPacket: maximumPacket))
      } catch {
        return outputs.append(.reject(batch.number, command.property, error))
      }
      known[command.property] = plan[command.property]?.reported(for: command.value)
    }
    guard queue.count + items.count <= ExchangeQueue.longest else {
      let rejection = Rejection(.busy, "\(queue.count) messages are waiting to be sent")
      return outputs.append(.reject(batch.number, items.first?.order?.property, rejection))
    }
    hasFinished = false
    for item in items { queue.add(item) }
    proceed(at: now, into: &outputs)
  }

  /// Sends what can be sent now.
  mutating func proceed(at now: Duration, into outputs: inout [Output]) {
    guard isUp else { return }
    while let (item, part, isLast) = queue.next() {
      activeAt = now
      send(part, of: item, isLast: isLast, into: &outputs)
      if queue.awaited != nil { outputs.append(.setTimer(Timer.answer, after: item.exchange.patience)) }
      if plan.sending.pause > .zero {
        queue.isPausing = true
        outputs.append(.setTimer(Timer.pause, after: plan.sending.pause))
      }
    }
    awaitQuiet(at: now, into: &outputs)
  }

  private mutating func send(
    _ bytes: [UInt8], of item: ExchangeQueue.Item, isLast: Bool, into outputs: inout [Output]
  ) {
    var number: UInt64?
    if isLast, let order = item.order {
      sends += 1
      number = sends
      underWay[sends] = order
    }
    let size = maximumPacket.map { max(1, $0) } ?? bytes.count
    var start = 0
    repeat {
      let end = min(start + max(1, size), bytes.count)
      let isEnd = end == bytes.count
      outputs.append(
        .send(.init(Array(bytes[start..<end]), policy: .expires(.seconds(5)), number: isEnd ? number : nil)))
      start = end
    } while start < bytes.count
  }

  // MARK: what becomes of it

  mutating func sent(_ number: UInt64, into outputs: inout [Output]) {
    guard let order = underWay.removeValue(forKey: number) else { return }
    // An answer says more than that it left.
    if order.isReported, queue.awaited?.order?.batch != order.batch || plan.isUnanswered(order) {
      report(order, into: &outputs)
    }
    finishIfDone(into: &outputs)
  }

  mutating func notSent(
    _ number: UInt64, _ rejection: Rejection, at now: Duration, into outputs: inout [Output]
  ) {
    guard let order = underWay.removeValue(forKey: number) else { return }
    fail(order, rejection, into: &outputs)
    proceed(at: now, into: &outputs)
  }

  private mutating func report(_ order: ExchangeQueue.Order, into outputs: inout [Output]) {
    values[order.property] = order.value
    outputs.append(.report(order.property, order.value))
  }

  private mutating func fail(
    _ order: ExchangeQueue.Order, _ rejection: Rejection, into outputs: inout [Output]
  ) {
    outputs.append(.reject(order.batch, order.property, rejection))
    queue.remove(batch: order.batch)
    underWay = underWay.filter { $0.value.batch != order.batch }
    if queue.awaited == nil { outputs.append(.cancelTimer(Timer.answer)) }
  }

  /// A message came: it may be what is awaited.
  mutating func answered(by message: Understood, at now: Duration, into outputs: inout [Output]) {
    guard let item = queue.awaited else { return }
    if message.index == item.exchange.refusal {
      queue.awaited = nil
      outputs.append(.cancelTimer(Timer.answer))
      switch item.origin {
      case .command(let order):
        fail(order, Rejection(.unsupported, "the board refused it"), into: &outputs)
      case .poll(let index): misses[index] = 0
      case .connect: outputs.append(.log(.warning, "the board refused what is sent on connect"))
      }
      return
    }
    switch item.exchange.expectation {
    case .message(let index):
      guard index == message.index else { return }
    case .value:
      guard let order = item.order,
        let report = message.reports.first(where: { $0.key == order.property }), report.value == order.value
      else { return }
    case .none: break
    }
    queue.awaited = nil
    outputs.append(.cancelTimer(Timer.answer))
    switch item.origin {
    case .command(let order): if order.isReported { report(order, into: &outputs) }
    case .poll(let index): misses[index] = 0
    case .connect: break
    }
  }

  /// What was awaited did not come.
  mutating func unanswered(at now: Duration, into outputs: inout [Output]) {
    guard let item = queue.awaited else { return }
    queue.awaited = nil
    let time = item.exchange.patience.configurationText
    switch item.origin {
    case .command(let order):
      fail(order, Rejection(.timeout, "the board did not answer within \(time)"), into: &outputs)
    case .connect:
      return outputs.append(.sessionFailed(.board, "no answer to what is sent on connect within \(time)"))
    case .poll(let index):
      misses[index, default: 0] += 1
      let poll = plan.polls[index]
      if misses[index, default: 0] >= poll.attempts {
        misses[index] = 0
        return outputs.append(
          .sessionFailed(.board, "no answer within \(time), \(poll.attempts) times in a row"))
      }
      queue.add(.init(poll.exchange, .poll(index), parts: plan.parts(of: poll.exchange)))
    }
    proceed(at: now, into: &outputs)
  }
}

extension ProfilePlan {
  /// Nothing will say that this command was carried out.
  func isUnanswered(_ order: ExchangeQueue.Order) -> Bool {
    self[order.property]?.commands.values.allSatisfy { $0.exchange.expectation == .none } ?? true
  }

  /// What is sent without a value.
  func parts(of exchange: Exchange) -> [[UInt8]] {
    exchange.templates.compactMap { template in
      do throws(Rejection) { return sending.whole(try template.bytes(.init())) } catch { return nil }
    }
  }

  /// What is sent for a command.
  func item(
    for command: Command, of batch: UInt64, known: [PropertyKey: Value], maximumPacket: Int?
  ) throws(Rejection) -> ExchangeQueue.Item {
    guard let property = self[command.property] else {
      throw Rejection(.unknownProperty, "the profile has no property \(command.property)")
    }
    guard let rule = property.commands[command.verb] else {
      throw property.commands.isEmpty
        ? Rejection(.readOnly, "\(command.property) is only read")
        : Rejection(.unsupported, "\(command.property) does not take \(command.verb.rawValue)")
    }
    let shown = property.reported(for: command.value)
    guard let templates = rule.templates(for: command.word) else {
      throw Rejection(.invalid, "\(command.property) does not take \(command.value.briefly.excerpt)")
    }
    var values = Template.Values(value: command.value)
    values.word = property.reading.word(for: shown)
    values.wordOf = { key in
      guard let other = self[key], let value = known[key], value != .unknown else { return nil }
      return other.reading.word(for: value)
    }
    let order = ExchangeQueue.Order(
      batch: batch, property: command.property, value: shown,
      isReported: property.isAssumed && command.verb == .set)
    var item = ExchangeQueue.Item(rule.exchange, .command(order))
    for template in templates {
      let bytes = sending.whole(try template.bytes(values))
      if frame.cut == .packet, let maximumPacket, maximumPacket > 0, bytes.count > maximumPacket {
        throw Rejection(.tooLarge, "\(bytes.count) bytes; the link takes \(maximumPacket) at once")
      }
      item.parts.append(bytes)
    }
    return item
  }
}

extension Command {
  /// As `cases` writes it.
  fileprivate var word: String? {
    switch value {
    case .boolean(let isOn): isOn ? "ON" : "OFF"
    case .text(let text): text
    case .unknown: "PRESS"
    default: nil
    }
  }
}
