import DeviceModel
import JSON

/// A message on a device's command topic, made into commands: pure, and strict.
struct CommandReader {
  let device: DeviceID
  let description: DeviceDescription
  /// Present values, for `TOGGLE`.
  let present: (PropertyKey) -> Value

  /// Longer payloads are refused unread. Bytes.
  static let payloadLimit = 64 * 1024

  /// Why a message is refused, and for which property when it was about one.
  struct Refusal: Error, Hashable {
    var property: String?
    var rejection: Rejection
  }

  /// `<device>/set`: a JSON object, all of it or nothing, in the description's order.
  func set(_ payload: [UInt8]) throws(Refusal) -> [Command] {
    let value = try json(payload, for: nil)
    guard case .object(let members) = value else {
      throw refusal(
        nil, .invalid, "\(device)/set takes a JSON object of properties, not \(value.briefly.excerpt)")
    }
    guard !members.isEmpty else {
      throw refusal(nil, .invalid, "\(device)/set got an object without properties")
    }
    var values: [PropertyKey: Value] = [:]
    for (name, value) in members.pairs {
      let property = try property(name, .set)
      do throws(Rejection) {
        values[property.key] = try property.value(from: value, present: stateAsBoolean(property))
      } catch {
        throw Refusal(property: name, rejection: error)
      }
    }
    return description.properties.compactMap { property in
      values[property.key].map { Command(property.key, $0) }
    }
  }

  /// `<device>/<property>/<verb>`: one value, bare.
  func property(_ name: String, _ verb: Property.Verb, _ payload: [UInt8]) throws(Refusal) -> [Command] {
    let property = try property(name, verb)
    let text = try text(payload, for: name)
    if case .text = property.kind {
    } else if text.isEmpty {
      throw refusal(name, .invalid, "the payload is empty")
    }
    switch (property.kind, verb) {
    case (.structured, .set), (.structured, .put), (.command, .set), (.deviceTracker, .set),
      (.infraredEmitter, .set):
      return [Command(property.key, verb: verb, try structured(property, payload, text))]
    case (_, .delete): return [Command(property.key, verb: verb, .text(text.trimmingSpaces()))]
    default:
      do throws(Rejection) {
        let value = try property.value(fromBare: text, present: stateAsBoolean(property))
        return [Command(property.key, verb: verb, value)]
      } catch {
        throw Refusal(property: name, rejection: error)
      }
    }
  }

  private func structured(_ property: Property, _ payload: [UInt8], _ text: String) throws(Refusal) -> Value {
    if property.kind != .structured, !text.trimmingSpaces().hasPrefix("{") {
      return .text(text.trimmingSpaces())
    }
    return try json(payload, for: property.key.text)
  }

  private func property(_ name: String, _ verb: Property.Verb) throws(Refusal) -> Property {
    guard let property = description.properties.first(where: { $0.key.text == name }) else {
      let known = description.properties.filter { !$0.verbs.isEmpty }.map(\.key.text)
      let near = nearestName(to: name, among: known).map { "; did you mean '\($0)'?" } ?? ""
      let takes = known.isEmpty ? "no commands" : known.joined(separator: ", ")
      throw refusal(
        name, .unknownProperty, "\(device) has no property '\(name.excerpt)'; it takes \(takes)\(near)")
    }
    guard property.verbs.contains(verb) else {
      let reason: Rejection.Reason = property.verbs.isEmpty ? .readOnly : .unsupported
      let verbs = property.verbs.map(\.rawValue).joined(separator: ", ")
      throw refusal(
        name, reason,
        property.verbs.isEmpty ? "\(name) is only read" : "\(name) takes \(verbs), not \(verb.rawValue)")
    }
    return property
  }

  private func stateAsBoolean(_ property: Property) -> Value {
    switch present(property.key) {
    case .text("ON"): .boolean(true)
    case .text("OFF"): .boolean(false)
    case let other: other
    }
  }

  private func json(_ payload: [UInt8], for property: String?) throws(Refusal) -> Value {
    try checkSize(payload, for: property)
    do throws(JSONError) {
      return try JSON.parse(payload)
    } catch {
      throw refusal(property, .invalid, "\(error)")
    }
  }

  private func text(_ payload: [UInt8], for property: String) throws(Refusal) -> String {
    try checkSize(payload, for: property)
    guard let text = String(validating: payload, as: UTF8.self) else {
      throw refusal(property, .invalid, "the payload is not UTF-8 text")
    }
    return text
  }

  private func checkSize(_ payload: [UInt8], for property: String?) throws(Refusal) {
    guard payload.count <= Self.payloadLimit else {
      throw refusal(
        property, .tooLarge, "\(payload.count) bytes; a command has at most \(Self.payloadLimit)")
    }
  }

  private func refusal(_ property: String?, _ reason: Rejection.Reason, _ words: String) -> Refusal {
    Refusal(property: property, rejection: Rejection(reason, words))
  }
}
