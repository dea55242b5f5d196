import DeviceModel

/// One kind of message that a board sends.
struct MessageRule: Sendable, Hashable {
  var name: String
  var startsWith: [UInt8] = []
  var endsWith: [UInt8] = []
  var form: MessageForm
  /// Values without which it is another message.
  var requires: [String] = []
  /// Values that must be these.
  var conditions: [String: String] = [:]
  /// What is fired when it comes.
  var event: String?
  /// It shows that the board is well.
  var isLife = true

  func values(
    of message: ArraySlice<UInt8>, wanted: some Sequence<String>
  ) throws(MessageError) -> [String: Value] {
    guard message.starts(with: startsWith) else { throw MessageError("it begins otherwise") }
    var body = message.dropFirst(startsWith.count)
    guard body.count >= endsWith.count, body.suffix(endsWith.count).elementsEqual(endsWith) else {
      throw MessageError("it ends otherwise")
    }
    body = body.dropLast(endsWith.count)
    let values = try form.values(of: body, wanted: Array(wanted) + requires + conditions.keys)
    for name in requires where values[name] == nil { throw MessageError("it has no '\(name)'") }
    for (name, word) in conditions {
      guard let value = values[name] else { throw MessageError("it has no '\(name)'") }
      guard value.word == word else { throw MessageError("'\(name)' is not '\(word.excerpt)'") }
    }
    return values
  }
}

extension Value {
  /// As a board would write it.
  var word: String {
    switch self {
    case .text(let text): text.trimmed()
    case .unknown: "null"
    default: briefly
    }
  }
}
