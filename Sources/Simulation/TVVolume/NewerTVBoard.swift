public import EventLoop

/// A TV's board with a newer sketch and an infra-red receiver: in lines, with the codes that it plays.
@Loop public final class NewerTVBoard: SimulatedPeripheral, Awaitable {
  private let radio: SketchOnRadio
  private var code = SentCode()
  /// What was played, in its order: `volume_up`, `mute`, or `38000 Hz: 9000 -4500 562`.
  public private(set) var played: [String] = []
  /// Texts that are no part of a code.
  public private(set) var nonsense: [String] = []
  public var onPlayed: @Loop (String) -> Void = { _ in }
  public let waits = Waits()

  private static let codes = ["volume_up", "volume_down", "mute", "power"]

  public init() {
    radio = SketchOnRadio(
      SelfDescribingSketch(
        "TV", attributes: ["v1.1"], limit: 100,
        [
          SketchEntity("p", "volume_up", "Volume up"), SketchEntity("p", "volume_down", "Volume down"),
          SketchEntity("o", "code", "Code", "ovolume_up", "ovolume_down", "omute", "opower"),
          SketchEntity("x", "infrared", "Infrared", "l88"),
          SketchEntity("t", "infrared_received", "Infrared received", "l120"),
        ]), name: "S2MTV")
    radio.board.onObeyed = { [weak self] in self?.obeyed($0) }
  }

  /// Somebody presses a remote control.
  ///
  /// - Parameter texts: The code as the board tells it, each text at once.
  public func see(_ texts: [String]) {
    for text in texts { radio.board.change { $0.set("infrared_received", "\"\(text)") } }
    radio.board.change { $0.set("infrared_received", "?") }
  }

  public func stop() {
    radio.stop()
    waits.end()
  }

  public var summary: String { "played \(played), not understood \(nonsense)" }

  // MARK: on the air

  public var advertisedName: String? { radio.advertisedName }
  public var services: [SimulatedService] { radio.services }
  public func connected(_ link: SimulatedLink) { radio.connected(link) }
  public func written(_ bytes: [UInt8], to characteristic: String) {
    radio.written(bytes, to: characteristic)
    waits.look()
  }
  public func disconnected() {
    code = SentCode()
    radio.disconnected()
  }

  // MARK: the light

  private func obeyed(_ command: String) {
    let parts = command.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    switch parts[0] {
    case "infrared":
      for part in parts[1].dropFirst().split(separator: ";") {
        if !code.take(String(part)) { nonsense.append(String(part)) }
      }
      if let whole = code.whole { play(whole) }
    case "code": play(Self.codes[Int(parts[1]) ?? 0])
    default: play(parts[0])
    }
  }

  private func play(_ what: String) {
    played.append(what)
    onPlayed(what)
  }
}

/// A code as it comes in parts.
private struct SentCode {
  private var length = 0
  private var hertz = ""
  private var durations: [String] = []
  private var timings: [String] = []

  /// False for what is no part, or not the next.
  mutating func take(_ part: String) -> Bool {
    let words = part.dropFirst().split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    switch part.first {
    case "b" where words.count == 2:
      self = SentCode()
      length = Int(words[0]) ?? 0
      hertz = words[1]
      return length > 0 && length <= 512
    case "d":
      durations += words
      return length > 0 && durations.count <= 16 && words.allSatisfy { Int($0) != nil }
    case "t":
      guard Int(part.dropFirst().prefix(3), radix: 16) == timings.count else { return false }
      for digit in part.dropFirst(4) {
        guard let place = digit.hexDigitValue, durations.indices.contains(place) else { return false }
        timings.append((timings.count % 2 == 0 ? "" : "-") + durations[place])
      }
      return timings.count <= length
    default: return false
    }
  }

  var whole: String? {
    length > 0 && timings.count == length ? "\(hertz) Hz: \(timings.joined(separator: " "))" : nil
  }
}
