/// What the plug's stream of bytes turned out to hold.
enum PlugFrame: Hashable, Sendable {
  case status(PlugStatus)
  /// A whole number of slots, 29 bytes each.
  case table([UInt8])
  /// A table was begun and cannot be used.
  case brokenTable(bytes: Int, String)
  /// Bytes that begin no message.
  case noise(bytes: Int)
  /// Bytes behind a table that begin no message: the table may have been longer than it was taken for.
  case excess(bytes: Int)
}
