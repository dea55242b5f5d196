/// Recognizes two clients that throw each other out by using one client id, where the broker does not say so.
///
/// MQTT 5 has a reason code for it; an MQTT 3.1.1 broker just closes the connection. What remains to be seen is a
/// row of connections that were accepted and closed again while young.
struct TakeOverRecognizer {
  let youngUnder: Duration
  private var times = 0

  /// So many in a row are not taken for chance.
  static let suspicious = 3

  init(youngUnder: Duration) { self.youngUnder = youngUnder }

  /// A connection ended after `age`, or with `nil` an attempt at one failed: a broker that cannot be reached in
  /// between has restarted.
  ///
  /// - Returns: the number of young connections in a row once it is suspicious.
  mutating func ended(age: Duration?, closedByBroker: Bool) -> Int? {
    guard let age, closedByBroker, age < youngUnder else {
      times = 0
      return nil
    }
    times += 1
    return times >= Self.suspicious ? times : nil
  }
}
