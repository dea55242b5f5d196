/// Which protocol version each server is spoken to with, remembered for the life of the process.
///
/// With 3.1.1 a live retained message cannot be told from another one, so nothing but the server's own word leads
/// there. Some old brokers have no word for it: they hang up. A broker that is just ending does that too. So 3.1.1 is
/// only tried after that; if it is answered, 5 is asked once more, and only a server that hangs up on it again, and
/// now is known to be there, is spoken to with 3.1.1, for one connection.
struct VersionChoice {
  let preference: VersionPreference
  private var refusing: Set<Int> = []
  private var doubts: [Int: Doubt] = [:]

  private enum Doubt {
    /// MQTT 5 attempts in a row that the server ended without an answer.
    case unanswered(Int)
    /// It has answered 3.1.1.
    case answering
    /// And has hung up on 5 after that.
    case confirmed
  }

  /// After so many unanswered attempts 3.1.1 is tried.
  static let patience = 2

  init(_ preference: VersionPreference) { self.preference = preference }

  func version(for server: Int) -> MQTTVersion {
    if case .only(let version) = preference { return version }
    if refusing.contains(server) { return .v311 }
    return switch doubts[server] {
    case .unanswered(Self.patience...), .confirmed: .v311
    case .unanswered, .answering, nil: .v5
    }
  }

  /// The server refused `version`; whether it is worth asking again with an older one.
  mutating func refused(_ version: MQTTVersion, by server: Int) -> Bool {
    guard case .newest = preference, version == .v5 else { return false }
    return refusing.insert(server).inserted
  }

  /// The server took the connection and closed it before it answered; whether it is worth asking at once with another
  /// version.
  mutating func unanswered(_ version: MQTTVersion, by server: Int) -> Bool {
    switch (version, doubts[server]) {
    case (.v5, nil): doubts[server] = .unanswered(1)
    case (.v5, .unanswered(let count)): doubts[server] = .unanswered(count + 1)
    case (.v5, .answering):
      doubts[server] = .confirmed
      return true
    case (.v5, .confirmed), (.v311, _): doubts[server] = nil
    }
    return false
  }

  /// The server answered; whether to leave it and ask once more with version 5.
  mutating func accepted(_ version: MQTTVersion, by server: Int) -> Bool {
    guard version == .v311, let doubt = doubts[server] else {
      doubts[server] = nil
      return false
    }
    // The next connection begins with 5 again.
    doubts[server] = .answering
    if case .unanswered = doubt { return true }
    return false
  }
}
