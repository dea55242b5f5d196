extension ShownState {
  /// The screen's lines: the bridges, every device with its links and values, then the newest events.
  func lines(width: Int, at uptime: Duration = .zero) -> [String] {
    var lines = (broker.map { ["broker  \($0)"] } ?? []) + bridges.map(\.line)
    if !lines.isEmpty { lines.append("") }
    for device in devices { lines += Self.lines(of: device, width: width, at: uptime) + [""] }
    if leftOut > 0 { lines += ["more than is shown: \(leftOut) messages left out", ""] }
    if !events.isEmpty {
      lines.append("events")
      lines += events.map { "  \($0)" }
    }
    return lines.map { Self.clipped(Self.printable($0), to: width) }
  }

  private static func lines(of device: Device, width: Int, at uptime: Duration) -> [String] {
    let facts = [
      device.name ?? device.identifier, device.availability, device.kind ?? "",
      device.name == nil || device.name == device.identifier ? "" : device.identifier,
      device.rate.text(at: uptime),
    ]
    let keyWidth = device.values.map(\.key.count).max() ?? 0
    let textWidth = device.values.map(\.text.count).max() ?? 0
    return [facts.filter { !$0.isEmpty }.joined(separator: "  ")] + device.links.map { "  \($0.summary)" }
      + device.values.map { value in
        let key = value.key + String(repeating: " ", count: keyWidth - value.key.count)
        let room = min(textWidth, max(8, width - keyWidth - value.since.count - 8))
        return "  \(key)  \(padded(value.text, to: room))  \(value.since)"
      }
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

extension ShownState.Bridge {
  /// `bridge main  online  0.1.0  up 3 h 12 min  15.9 MB  mqtt://localhost:1883`.
  var line: String {
    var facts = ["bridge \(name)", state]
    if let version { facts.append(version) }
    if let uptime { facts.append("up \(Self.text(ofSeconds: uptime))") }
    if let residentKilobytes {
      facts.append("\(residentKilobytes / 1000).\(residentKilobytes / 100 % 10) MB")
    }
    if let waiting, waiting > 0 { facts.append("\(waiting) waiting") }
    if let server { facts.append(server) }
    return facts.joined(separator: "  ")
  }

  private static func text(ofSeconds seconds: Int) -> String {
    switch seconds {
    case ..<60: "\(seconds) s"
    case ..<3600: "\(seconds / 60) min"
    case ..<86_400: "\(seconds / 3600) h \(seconds / 60 % 60) min"
    default: "\(seconds / 86_400) d \(seconds / 3600 % 24) h"
    }
  }
}
