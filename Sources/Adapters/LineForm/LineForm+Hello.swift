extension LineForm {
  /// Who a board is.
  struct Hello: Hashable, Sendable {
    /// Of all that the board is, with its descriptions.
    var token: Token
    /// What tells boards of one name apart.
    var identity: Token?
    /// The board keeps an identity that it is given.
    var keepsIdentity: Bool
    /// The longest line it takes, body and checksum, 24 to 255.
    var limit: Int
    /// Of entities, 0 to 100.
    var count: Int
    var name: String
    var version: String?
    var model: String?
    var manufacturer: String?
    /// After so long without a line the board takes the bridge for gone, 2 to 35 s; nil when it does not say.
    var patience: Duration?
    /// As it came, the letter included.
    var body: [UInt8]
  }
}

extension LineForm.Hello {
  /// - Parameter body: The whole, with its letter.
  init(_ body: [UInt8]) throws(LineForm.Malformation) {
    let fields = LineForm.fields(body.dropFirst())
    guard fields[0].elementsEqual("1".utf8) else {
      guard let version = LineForm.small(fields[0], digits: 3, limit: 999) else {
        throw .malformed("a hello begins with the version of the protocol")
      }
      throw .version(version)
    }
    guard fields.count >= 6 else { throw .malformed("a hello has six fields, not \(fields.count)") }
    guard let token = LineForm.Token(fields[1]) else {
      throw .malformed("a hello's token has eight hexadecimal digits")
    }
    var identity = fields[2]
    keepsIdentity = identity.last == UInt8(ascii: "+")
    if keepsIdentity { identity = identity.dropLast() }
    self.identity = LineForm.Token(identity)
    guard self.identity != nil || identity.isEmpty else {
      throw .malformed("a board's identity has eight hexadecimal digits, or none")
    }
    guard let limit = LineForm.small(fields[3], digits: 3, limit: 255), limit >= 24 else {
      throw .malformed("the longest line that a board takes is 24 to 255 bytes")
    }
    guard let count = LineForm.small(fields[4], digits: 3, limit: LineForm.mostEntities) else {
      throw .malformed("a board has at most \(LineForm.mostEntities) entities")
    }
    guard !fields[5].isEmpty else { throw .malformed("a board has a name") }
    self.token = token
    self.limit = limit
    self.count = count
    self.body = body
    name = try LineForm.unescaped(fields[5], "a board's name")
    for attribute in fields[6...] {
      guard let letter = attribute.first else { continue }
      let text = try LineForm.unescaped(attribute.dropFirst(), "an attribute of a hello")
      switch letter {
      case UInt8(ascii: "v"): version = text
      case UInt8(ascii: "m"): model = text
      case UInt8(ascii: "f"): manufacturer = text
      case UInt8(ascii: "q"):
        guard let seconds = LineForm.small(attribute.dropFirst(), digits: 2, limit: 35), seconds >= 2 else {
          throw .malformed("a board's patience is 2 to 35 seconds")
        }
        patience = .seconds(seconds)
      default: break
      }
    }
  }
}

extension LineForm {
  /// What stands between the bars; one at least.
  static func fields(_ bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    bytes.split(separator: UInt8(ascii: "|"), omittingEmptySubsequences: false)
  }
}
