import DeviceModel

/// What the board told or refused.
extension GATT {
  mutating func receive(_ bytes: [UInt8], at now: Duration, into outputs: inout [Output]) {
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

  mutating func answered() { unanswered = max(0, unanswered - 1) }

  func place(of id: AttributeID) -> Int? { characteristics.firstIndex { $0.declared.id == id } }

  mutating func take(
    _ value: [UInt8], of id: AttributeID, at now: Duration, into outputs: inout [Output]
  ) {
    if isKnown { outputs.append(.alive) }
    guard let place = place(of: id) else {
      guard information?.take(value, of: id) == true else { return }
      return answered()
    }
    if characteristics[place].isAsked {
      characteristics[place].isAsked = false
      answered()
      schedule(place, at: now, into: &outputs)
    }
    characteristics[place].isWritten = false
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

  mutating func missing(
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

  mutating func refused(
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
      // Of one that only notifies, or is only written, nothing else can be expected.
      if !characteristics[place].isNotified {
        complain("\(id) cannot be read: \(why)", into: &outputs)
        if !characteristics[place].isWritten { forgetValue(of: place, into: &outputs) }
      } else if characteristics[place].bytes == nil {
        forgetValue(of: place, into: &outputs)
      }
      schedule(place, at: now, into: &outputs)
    }
  }

  mutating func forgetValue(of place: Int, into outputs: inout [Output]) {
    characteristics[place].bytes = nil
    for entity in characteristics[place].declared.entities { outputs.append(.report(entity.key, .unknown)) }
  }

  mutating func complain(_ words: String, into outputs: inout [Output]) {
    guard complaints.count < Self.mostComplaints, complaints.insert(words).inserted else { return }
    outputs.append(.log(.warning, words))
  }

  /// All that was asked has its answer: whether the board is the one that was declared is known now.
  mutating func finishIfDone(at now: Duration, into outputs: inout [Output]) {
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
    if !isKnown {
      isKnown = true
      outputs.append(.alive)
    }
    if let told = information?.description(of: description), told != description {
      description = told
      outputs.append(.describe(told))
    }
    if writes.isEmpty { outputs.append(.sessionFinished(.board)) }
  }
}
