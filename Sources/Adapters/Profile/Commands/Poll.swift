/// Something that is asked again and again.
struct Poll: Sendable, Hashable {
  var exchange: Exchange
  var interval: Duration
  /// So many unanswered in a row, and the board is away.
  var attempts: Int
}
