/// Counts what the library holds: QoS 0 until it is written, QoS 1 and 2 until it is acknowledged.
///
/// The library's publish callback names a message by its number only, so those with an acknowledgement to come
/// are marked in a set of bits (8 KB, no allocation later).
struct OutstandingMessages {
  private var marks = [UInt64](repeating: 0, count: 1024)
  private(set) var unsent = 0
  private(set) var unacknowledged = 0

  var total: Int { unsent + unacknowledged }

  mutating func sending() { unsent += 1 }
  mutating func notTaken() { unsent -= 1 }

  mutating func awaitAcknowledgement(of id: Int32) {
    marks[Int(id) >> 6] |= 1 << UInt64(id & 63)
    unacknowledged += 1
  }

  mutating func finished(_ id: Int32) {
    let bit: UInt64 = 1 << UInt64(id & 63)
    if marks[Int(id) >> 6] & bit != 0 {
      marks[Int(id) >> 6] &= ~bit
      unacknowledged -= 1
    } else if unsent > 0 {
      unsent -= 1
    }
  }

  /// - Returns: how many were lost with the connection.
  mutating func connectionEnded() -> Int {
    defer { unsent = 0 }
    return unsent
  }

  /// - Returns: how many were lost with the library's queue.
  mutating func queueEnded() -> Int {
    defer { self = OutstandingMessages() }
    return total
  }
}
