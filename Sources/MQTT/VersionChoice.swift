/// Which protocol version each server is spoken to with, remembered for the life of the process.
struct VersionChoice {
  let preference: VersionPreference
  private var refusing: Set<Int> = []
  /// MQTT 5 attempts in a row that a server ended without an answer, as some old brokers do.
  private var unanswered: [Int: Int] = [:]

  /// After so many unanswered attempts 3.1.1 is tried once.
  static let patience = 2

  init(_ preference: VersionPreference) { self.preference = preference }

  func version(for server: Int) -> MQTTVersion {
    if case .only(let version) = preference { return version }
    return refusing.contains(server) || unanswered[server, default: 0] >= Self.patience ? .v311 : .v5
  }

  /// The server refused `version`; whether it is worth asking again with an older one.
  mutating func refused(_ version: MQTTVersion, by server: Int) -> Bool {
    guard case .newest = preference, version == .v5 else { return false }
    return refusing.insert(server).inserted
  }

  /// The server closed the connection before it answered.
  mutating func unanswered(_ version: MQTTVersion, by server: Int) {
    unanswered[server] = version == .v5 ? unanswered[server, default: 0] + 1 : 0
  }

  mutating func accepted(_ version: MQTTVersion, by server: Int) {
    unanswered[server] = nil
    if case .newest = preference, version == .v311 { refusing.insert(server) }
  }
}
