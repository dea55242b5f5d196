import DeviceModel
import JSON

/// What the demo shows of the broker's messages: the devices, their values, and what happened.
struct ShownState {
  struct Device: Equatable {
    let identifier: String
    var availability = "?"
    var values: [Line] = []
  }

  struct Line: Equatable {
    let key: String
    var text: String
    /// When it became so.
    var since: String
  }

  /// One thing that is new.
  enum Change: Equatable {
    case availability(device: String, String)
    case value(device: String, key: String, String)
    /// Of a device, or of the bridge.
    case event(device: String, String)
  }

  /// Events that are kept.
  static let keptEvents = 5

  private(set) var devices: [Device] = []
  private(set) var events: [String] = []
  private let base: String

  init(base: String) { self.base = base }

  /// Takes one message, at `time` as a person reads it; what is new by it.
  mutating func receive(_ topic: String, _ payload: [UInt8], at time: String) -> [Change] {
    let levels = topic.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard levels.first == base, levels.count >= 2 else { return [] }
    switch (levels[1], levels.count) {
    case ("bridge", 4) where levels[3] == "event": return receiveEvent("bridge", payload, at: time)
    case ("bridge", _): return []
    case (let device, 2): return receiveValues(device, payload, at: time)
    case (let device, 3) where levels[2] == "availability":
      return receiveAvailability(device, String(decoding: payload, as: UTF8.self))
    case (let device, 3) where levels[2] == "event": return receiveEvent(device, payload, at: time)
    default: return []
    }
  }

  private mutating func receiveAvailability(_ device: String, _ text: String) -> [Change] {
    let index = index(of: device)
    guard devices[index].availability != text else { return [] }
    devices[index].availability = text
    return [.availability(device: device, text)]
  }

  private mutating func receiveValues(_ device: String, _ payload: [UInt8], at time: String) -> [Change] {
    guard let value = try? JSON.parse(payload), case .object(let members) = value else { return [] }
    let index = index(of: device)
    var changes: [Change] = []
    for (key, value) in members.pairs {
      let text = Self.text(of: value)
      if let place = devices[index].values.firstIndex(where: { $0.key == key }) {
        if devices[index].values[place].text == text { continue }
        devices[index].values[place] = Line(key: key, text: text, since: time)
      } else {
        devices[index].values.append(Line(key: key, text: text, since: time))
        // That nothing is known yet is no news.
        if value == .unknown { continue }
      }
      changes.append(.value(device: device, key: key, text))
    }
    return changes
  }

  private mutating func receiveEvent(_ device: String, _ payload: [UInt8], at time: String) -> [Change] {
    let text = String(decoding: payload, as: UTF8.self)
    events.append("\(time)  \(device)  \(text)")
    events.removeFirst(max(0, events.count - Self.keptEvents))
    return [.event(device: device, text)]
  }

  private mutating func index(of device: String) -> Int {
    if let index = devices.firstIndex(where: { $0.identifier == device }) { return index }
    devices.append(Device(identifier: device))
    return devices.count - 1
  }

  private static func text(of value: Value) -> String {
    switch value {
    case .text(let text): text
    case .unknown: "unknown"
    default: JSON.text(of: value)
    }
  }
}

extension ShownState.Change {
  /// One line, for a pipe.
  var line: String {
    switch self {
    case .availability(let device, let text): "\(device) is \(text)"
    case .value(let device, let key, let text): "\(device) \(key) \(text)"
    case .event(let device, let text): "\(device) event \(text)"
    }
  }
}

extension ShownState {
  /// The screen's lines: every device with its values, then the newest events.
  func lines(width: Int) -> [String] {
    var lines: [String] = []
    for device in devices {
      lines.append("\(device.identifier)  \(device.availability)")
      let keyWidth = device.values.map(\.key.count).max() ?? 0
      let textWidth = device.values.map(\.text.count).max() ?? 0
      for value in device.values {
        let key = value.key + String(repeating: " ", count: keyWidth - value.key.count)
        let room = min(textWidth, max(8, width - keyWidth - value.since.count - 8))
        lines.append("  \(key)  \(Self.padded(value.text, to: room))  \(value.since)")
      }
      lines.append("")
    }
    if !events.isEmpty {
      lines.append("events")
      lines += events.map { "  \($0)" }
    }
    return lines.map { Self.clipped(Self.printable($0), to: width) }
  }

  private static func padded(_ text: String, to width: Int) -> String {
    let clipped = clipped(text, to: width)
    return clipped + String(repeating: " ", count: width - clipped.count)
  }

  static func clipped(_ text: String, to width: Int) -> String {
    text.count <= width ? text : text.prefix(max(0, width - 3)) + "..."
  }

  /// What a board sends does not reach the terminal's controls.
  static func printable(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { $0.properties.generalCategory == .control ? "\u{FFFD}" : $0 }))
  }
}
