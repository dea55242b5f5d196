/// Which of the publishes that a broker refuses on the present connection are news.
///
/// A refusal names a message by its number only; the topics of the last 256 are known.
struct RefusedPublishes {
  private var recent = [(id: Int32, topic: String)](repeating: (0, ""), count: 256)
  private var told: Set<String> = []

  mutating func sent(_ id: Int32, to topic: String) { recent[Int(id) & 255] = (id, topic) }

  /// The topic to be told of; nil when one of its first level was told of before, or too many others.
  mutating func news(of id: Int32) -> String? {
    let (known, topic) = recent[Int(id) & 255]
    return known == id ? news(on: topic) : nil
  }

  mutating func news(on topic: String) -> String? {
    let level = String(topic.prefix { $0 != "/" })
    return told.count < 16 && told.insert(level).inserted ? topic : nil
  }

  /// Another connection, other answers.
  mutating func forget() { told = [] }
}
