import Adapters
import DeviceModel

/// The page about the kinds of devices, rendered from the kinds themselves.
enum KindsPage {
  static var text: String {
    let opening = """
      # Kinds of devices

      What can stand after `kind:` in the configuration. A property is a key of the device's state; see
      <doc:Topics> for how it is read and set.

      """
    return opening + Registry.kinds.map(section).joined()
  }

  private static func section(on kind: Kind) -> String {
    var text = "\n## \(kind.name)\n\n\(kind.summary)\n\n"
    for link in kind.links {
      let transports = link.transports.map { "`\($0.rawValue)`" }.joined(separator: ", ")
      let condition = link.condition.map { " (\($0))" } ?? ""
      let wired = link.wiredSession.map { ", over tcp and serial \(words(for: $0))," } ?? ""
      text +=
        "Link `\(link.role)`: \(transports)\(condition); \(words(for: link.session))\(wired) unless set otherwise.\n"
    }
    if !kind.options.fields.isEmpty { text += "\n\(kind.options.markdownTable)" }
    var problems: [ConfigurationProblem] = []
    let options = kind.options.check(LocatedValue(kind.example), path: "options", problems: &problems)
    guard problems.isEmpty, let description = kind.makeAdapter(options, &problems)?.description else {
      return text
    }
    if !description.properties.isEmpty {
      text += "\n| property | Home Assistant | takes | meaning |\n|---|---|---|---|\n"
      text += description.properties.map(row).joined()
    }
    if !description.eventTypes.isEmpty {
      text += "\nEvents: \(description.eventTypes.map { "`\($0)`" }.joined(separator: ", ")).\n"
    }
    return text
  }

  private static func row(for property: Property) -> String {
    let verbs = property.verbs.map { "`\($0.rawValue)`" }.joined(separator: ", ")
    let takes = verbs.isEmpty ? "–" : verbs + (words(for: property.kind).map { ": \($0)" } ?? "")
    return "| `\(property.key)` | \(entity(of: property.kind)) | \(takes) | \(property.summary) |\n"
  }

  private static func words(for session: Session) -> String {
    switch session {
    case .held: "held"
    case .polled(let interval): "polled every \(interval.configurationText)"
    case .onDemand: "on demand"
    }
  }

  private static func entity(of kind: PropertyKind) -> String {
    switch kind {
    case .sensor(let measurement): "sensor" + (measurement.unit.map { ", \($0)" } ?? "")
    case .enumeration(let options): "sensor: \(list(options))"
    case .timestamp: "sensor, time"
    case .binarySensor(let deviceClass): "binary_sensor" + (deviceClass.map { ", \($0)" } ?? "")
    case .switch(let deviceClass): "switch" + (deviceClass.map { ", \($0)" } ?? "")
    case .number(_, let measurement): "number" + (measurement.unit.map { ", \($0)" } ?? "")
    case .select: "select"
    case .button: "button"
    case .text: "text"
    case .lock: "lock"
    case .cover(let deviceClass, _, _): "cover" + (deviceClass.map { ", \($0)" } ?? "")
    case .event: "event"
    case .deviceTracker: "device_tracker"
    case .infraredEmitter: "infrared emitter"
    case .infraredReceiver: "infrared receiver"
    case .structured, .command: "–"
    }
  }

  private static func words(for kind: PropertyKind) -> String? {
    switch kind {
    case .switch: "ON, OFF, TOGGLE"
    case .number(let range, _): "\(number(range.minimum)) to \(number(range.maximum))"
    case .select(let options): list(options)
    case .button: "PRESS"
    case .lock: "LOCK, UNLOCK"
    case .cover(_, let canClose, let canStop):
      "OPEN" + (canClose ? ", CLOSE" : "") + (canStop ? ", STOP" : "")
    case .text(let maximumLength, _): "at most \(maximumLength) characters"
    case .structured, .deviceTracker, .infraredEmitter: "JSON"
    case .sensor, .enumeration, .timestamp, .binarySensor, .event, .infraredReceiver, .command: nil
    }
  }

  private static func number(_ value: Double) -> String {
    value == value.rounded() ? "\(Int(value))" : "\(value)"
  }

  private static func list(_ words: [String]) -> String { words.joined(separator: ", ") }
}
