/// Recognizes two clients that throw each other out by using one client id, where the broker does not say so.
///
/// MQTT 5 has a reason code for it; an MQTT 3.1.1 broker just closes the connection. What remains to be seen is a
/// row of connections to one server that it accepted and closed again while young.
struct TakeOverRecognizer {
  let youngUnder: Duration
  private var times = 0
  private var server: Int?

  /// So many in a row are not taken for chance.
  static let suspicious = 3

  init(youngUnder: Duration) { self.youngUnder = youngUnder }

  /// The server closed a connection of this age.
  ///
  /// - Returns: the number of young connections in a row once it is suspicious.
  mutating func closed(by server: Int, age: Duration) -> Int? {
    if server != self.server { times = 0 }
    self.server = server
    times = age < youngUnder ? times + 1 : 0
    return times >= Self.suspicious ? times : nil
  }

  /// A connection ended in another way, or an attempt at one failed: there is something wrong with the server or the
  /// network, which explains what went before.
  mutating func failed() { times = 0 }
}
