/// One thing that a device tells or can be told, as plain data: discovery, documentation, the checking of commands
/// and `bridge/…/devices` are all rendered from it.
public struct Property: Hashable, Sendable {
  public var key: PropertyKey
  /// What Home Assistant shows beside the device's name; nil for the device's main entity.
  public var name: String?
  public var kind: PropertyKind
  /// What may be done to it over MQTT.
  public var verbs: [Verb]
  public var category: Category
  /// A Material Design icon, `mdi:door`; nil leaves it to the class.
  public var icon: String?
  /// The board gives no evidence of this value: it is what was commanded last.
  public var isAssumed: Bool
  public var isEnabledByDefault: Bool
  /// Words of its command topic that are obeyed although the broker kept them, such as those of a will: they make
  /// things safe and nothing else.
  public var obeyedWhenRetained: [String]
  /// Commands are given to the adapter whether or not a link is up: it sees to the link itself, or needs none.
  public var needsNoLink: Bool
  /// What an owner should know; a sentence for the documentation.
  public var summary: String

  public init(
    _ key: PropertyKey, name: String?, _ kind: PropertyKind, verbs: [Verb] = [],
    category: Category = .primary, icon: String? = nil, isAssumed: Bool = false,
    isEnabledByDefault: Bool = true, obeyedWhenRetained: [String] = [], needsNoLink: Bool = false,
    summary: String = ""
  ) {
    self.key = key
    self.name = name
    self.kind = kind
    self.verbs = verbs
    self.category = category
    self.icon = icon
    self.isAssumed = isAssumed
    self.isEnabledByDefault = isEnabledByDefault
    self.obeyedWhenRetained = obeyedWhenRetained
    self.needsNoLink = needsNoLink
    self.summary = summary
  }

  public var isSettable: Bool { verbs.contains(.set) }

  /// Where Home Assistant shows the entity.
  public enum Category: String, Hashable, Sendable {
    case primary, config, diagnostic
  }

  /// The last segment of a command topic below the property's key.
  public enum Verb: String, Hashable, Sendable, CaseIterable {
    case set, put, delete
  }
}
