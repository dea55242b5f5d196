import DeviceModel

/// Where Home Assistant reads one value, and the templates (Jinja) that make of it what a platform expects.
///
/// An unknown value is `null` in JSON and `None` as a bare value. `None` is also what a template writes for `null`,
/// and what most platforms take for unknown. A state topic that was cleared reads as unknown, without an error.
struct StateSource: Hashable, Sendable {
  var topic: String
  /// The member of the JSON object on ``topic``; nil when the value stands there bare.
  var member: String?

  private var object: String { "(value_json | default({}))" }

  /// The value as it is; nil when no template is needed.
  var template: String? { member.map { "{{ \(object).get(\(Self.quoted($0))) }}" } }

  /// The first characters of the value, or `standIn` for an unknown one.
  ///
  /// - Parameters:
  ///   - standIn: nil for `None`.
  ///   - limit: nil for all of it.
  func template(orElse standIn: String?, limit: Int? = nil) -> String {
    let known = member == nil ? "value" : "known"
    let cut = limit.map { "(\(known) | string)[:\($0)]" } ?? known
    let shown = standIn.map { "\(Self.quoted($0)) if \(isUnknown(known)) else \(cut)" } ?? cut
    guard let member else { return "{{ \(shown) }}" }
    return "{% set known = \(object).get(\(Self.quoted(member))) %}{{ \(shown) }}"
  }

  private func isUnknown(_ expression: String) -> String {
    member == nil ? "\(expression) == 'None'" : "\(expression) is none"
  }

  /// `online` for a known value, `offline` for an unknown one.
  var availabilityTemplate: String {
    let known = member.map { "\(object).get(\(Self.quoted($0)))" } ?? "value"
    return "{{ 'offline' if \(isUnknown(known)) else 'online' }}"
  }

  /// The value, an object, as the attributes of an entity; none of them for an unknown one.
  var attributesTemplate: String {
    guard let member else { return "{{ value_json | default({}, true) | to_json }}" }
    return "{{ (\(object).get(\(Self.quoted(member))) or {}) | to_json }}"
  }

  /// Those of `members` that are known, each as an attribute. Only for a JSON object.
  static func attributesTemplate(of members: [String]) -> String {
    let names = members.map(quoted).joined(separator: ", ")
    return "{{ dict((value_json | default({})).items() | selectattr('0', 'in', [\(names)])"
      + " | rejectattr('1', 'none')) | to_json }}"
  }

  /// The device's events that are of one property; of another, the empty text that Home Assistant passes over.
  static func eventTemplate(of property: String) -> String {
    "{{ value if (value_json | default({})).get(\(quoted(DeviceDescription.eventSource)))"
      + " == \(quoted(property)) else '' }}"
  }

  /// A Jinja string.
  static func quoted(_ text: String) -> String {
    var quoted = "'"
    for scalar in text.unicodeScalars {
      switch scalar {
      case "'", "\\": quoted += "\\\(scalar)"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "'"
  }
}
