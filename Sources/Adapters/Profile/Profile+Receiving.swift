import DeviceModel

extension Profile {
  mutating func receive(_ bytes: [UInt8], at now: Duration, into outputs: inout [Output]) {
    guard isUp, !bytes.isEmpty else { return }
    activeAt = now
    reader.append(bytes)
    read(at: now, into: &outputs)
  }

  /// Takes all messages that are whole.
  mutating func read(at now: Duration, into outputs: inout [Output]) {
    while let piece = reader.next() {
      switch piece {
      case .garbage(let count, let why): outputs.append(.undecodable(bytes: count, why))
      case .message(let message, let size): take(message, size, at: now, into: &outputs)
      }
    }
    if reader.isWaiting, !isFrameTimed {
      isFrameTimed = true
      let rest = activeAt + reader.wait - now
      outputs.append(.setTimer(Timer.frame, after: rest > .zero ? rest : reader.wait))
    }
    proceed(at: now, into: &outputs)
    finishIfDone(into: &outputs)
  }

  private mutating func take(
    _ message: ArraySlice<UInt8>, _ size: Int, at now: Duration, into outputs: inout [Output]
  ) {
    let understood: Understood
    do throws(MessageError) {
      understood = try plan.understand(message, wanted: wanted)
    } catch {
      let shown = plan.frame.shown(message)
      let why = "\(shown) is no message of the profile: \(error)"
      if plan.frame.isLookedForAgain { return reader.lookAgain(why) }
      return outputs.append(.undecodable(bytes: size, why))
    }
    let rule = plan.messages[understood.index]
    if rule.isLife {
      heardAt = now
      outputs.append(.alive)
    }
    for (key, value) in understood.reports {
      values[key] = value
      outputs.append(.report(key, value))
    }
    if let event = rule.event { outputs.append(.event(event, understood.facts)) }
    seen.insert(understood.index)
    answered(by: understood, at: now, into: &outputs)
  }
}

extension FrameRule {
  /// A message for a log: text in quotes, else bytes.
  func shown(_ message: ArraySlice<UInt8>) -> String {
    let isText = message.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
    if isText, !isHexadecimal { return "'\(LenientText.string(of: message.prefix(200)).excerpt)'" }
    return message.prefix(20).capitalHexadecimal(separator: " ") + (message.count > 20 ? " …" : "")
  }
}

extension FrameReader {
  /// After this time without bytes what is pending is looked at as it is.
  var wait: Duration { if case .silence(let time) = rule.cut { time } else { rule.patience } }
}
