import Bridge
import DeviceModel
import JSON

extension CaptureReplay.Step {
  /// One line for a person: what was told stands at the margin, what came of it is indented.
  var line: String {
    switch self {
    case .told(let input, let time): "\(Self.clock(time))  \(ShownState.printable(input.words))"
    case .wanted(let output, _): "            \(ShownState.printable(output.words))"
    case .wasSent(let role, let bytes, let time): "\(Self.clock(time))  was sent on \(role): \(bytes.shown)"
    }
  }

  /// Seconds with milliseconds, `   12.340`.
  private static func clock(_ time: Duration) -> String {
    let milliseconds = Int(time / .milliseconds(1))
    let text = "\(milliseconds / 1000).\(String(milliseconds % 1000 + 1000).dropFirst())"
    return String(repeating: " ", count: max(0, 10 - text.count)) + text
  }
}

extension Input {
  fileprivate var words: String {
    switch self {
    case .linkUp(let role, let packet): "\(role) is up\(packet.map { ", packets of \($0) bytes" } ?? "")"
    case .linkDown(let role, let reason): "\(role) is down: \(reason)"
    case .received(let role, let bytes): "received on \(role): \(bytes.shown)"
    case .sent(let number): "send \(number) has left"
    case .notSent(let number, let reason, let mayHaveArrived):
      "send \(number) \(mayHaveArrived ? "may not have arrived" : "did not leave"): \(reason)"
    case .commands(let batch):
      "command "
        + batch.commands.map { "\($0.property) \($0.verb.rawValue) \(JSON.text(of: $0.value))" }
        .joined(separator: ", ")
    case .transmit(_, let bytes): "transmit \(bytes.shown)"
    case .refresh: "refresh"
    case .remembered(let value): "remembered \(JSON.text(of: value))"
    case .message(let message):
      "message\(message.isRetained ? ", retained," : "") on \(message.topic): \(message.payload.shown)"
    case .advertisement(let advertisement):
      "heard \(advertisement.address)\(advertisement.rssiDBm.map { ", \($0) dBm" } ?? "")"
    case .listening(let isListening, let reason):
      isListening ? "listens for advertisements" : "hears no advertisements: \(reason ?? "?")"
    case .deafened(let isDeaf): isDeaf ? "hears nothing for a moment" : "hears again"
    case .random(let bytes): "\(bytes.count) random bytes"
    case .request(let request): "request \(request.name)"
    case .broker(let isConnected): isConnected ? "the broker is there" : "the broker is away"
    case .stopping: "the bridge lets the device go"
    case .timerFired(let name): "timer \(name)"
    }
  }
}

extension Output {
  fileprivate var words: String {
    switch self {
    case .send(let send): "send on \(send.role): \(send.bytes.shown)"
    case .report(let key, let value): "report \(key) \(JSON.text(of: value))"
    case .event(let type, let facts):
      "event \(type)\(facts.isEmpty ? "" : " \(JSON.text(of: .object(facts)))")"
    case .publish(let subtopic, let bytes): "publish \(subtopic): \(bytes.shown)"
    case .alive: "the board lives"
    case .undecodable(let bytes, let why): "\(bytes) bytes passed over: \(why)"
    case .connect(let role): "connect \(role)"
    case .sessionFinished(let role): "\(role): the session is over"
    case .reconnect(let role, let pause): "\(role): look anew after \(pause.configurationText)"
    case .sessionFailed(let role, let why): "\(role): the session failed: \(why)"
    case .setTimer(let name, let delay): "timer \(name) in \(delay.configurationText)"
    case .setTimerWhenKept(let name): "timer \(name) when that is on the disk"
    case .cancelTimer(let name): "timer \(name) is off"
    case .reject(_, let property, let rejection):
      "refused\(property.map { " \($0)" } ?? "") (\(rejection.reason.rawValue)): \(rejection.explanation)"
    case .describe(let description):
      "describes itself: \(description.properties.map(\.key.text).joined(separator: ", "))"
    case .remember(let value): "remember \(JSON.text(of: value))"
    case .wantRandom(let count): "wants \(count) random bytes"
    case .answer(_, .success(let value)): "answer \(JSON.text(of: value))"
    case .answer(_, .failure(let rejection)):
      "answer (\(rejection.reason.rawValue)): \(rejection.explanation)"
    case .log(let level, let text): "\(level.rawValue): \(text)"
    }
  }
}

extension [UInt8] {
  /// Hexadecimal, with the text behind it where there is one to read.
  fileprivate var shown: String {
    let isText = !isEmpty && allSatisfy { (0x20..<0x7F).contains($0) || $0 == 0x0A || $0 == 0x0D }
    return isText
      ? "\(hexadecimal)  '\(String(decoding: self.filter { $0 >= 0x20 }, as: UTF8.self))'" : hexadecimal
  }
}
