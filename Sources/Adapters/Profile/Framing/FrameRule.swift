/// How a board's bytes are cut into messages.
struct FrameRule: Sendable, Hashable {
  var cut: Cut
  /// What begins each message, and is no part of its content.
  var start: [UInt8] = []
  /// Of one message, in bytes.
  var maximum = 512
  /// The beginning of a message whose rest does not come within this time is passed over.
  var patience = Duration.seconds(2)
  /// A message is pairs of hexadecimal digits; what counts are the bytes they mean.
  var isHexadecimal = false
  var checksum: Checksum?

  /// Of a message, in bytes, whatever a profile says.
  static let longest = 4096

  enum Cut: Sendable, Hashable {
    /// Any of these ends a message.
    case ends([[UInt8]])
    /// What the link delivers at once.
    case packet
    /// So many bytes, the start among them.
    case length(Int)
    /// The number at `offset`, which with `added` is the length of the whole message.
    case prefix(offset: Int, NumberFormat, added: Int)
    /// What a message begins with says how long all of it is.
    case tags([Tag])
    /// The line is silent for so long.
    case silence(Duration)
    /// Patterns find messages in what comes, whether or not anything is between them.
    case search([Pattern])
  }

  struct Tag: Sendable, Hashable {
    var text: [UInt8]
    var length: Int
  }

  /// A message that is not understood may have begun at a place where none does: it is looked for again a byte later.
  var isLookedForAgain: Bool {
    switch cut {
    case .length, .prefix, .tags: true
    case .ends, .packet, .silence, .search: false
    }
  }
}
