public import DeviceModel

/// The first words with a board that is no device yet: listens for its hello, and says no more than one question.
public struct BoardIntroduction: Sendable {
  private var reader = LineForm.Reader()

  /// Who a board says it is.
  public struct Card: Hashable, Sendable {
    public var name: String
    /// Eight hexadecimal digits, what tells boards of one name apart; nil for a board that has none.
    public var identity: String?
    public var model: String?
  }

  /// To be sent to a board that its advertisement or a person has announced, and to no other.
  public static let question = LineForm.BridgeLine.whoAreYou.bytes

  public init() {}

  /// The board's card, when a hello is whole.
  public mutating func receive(_ bytes: [UInt8]) -> Card? {
    var pieces: [LineForm.Reader.Piece] = []
    reader.receive(bytes, into: &pieces)
    for case .line(let body) in pieces {
      guard case .hello(let hello)? = try? LineForm.BoardLine(body) else { continue }
      return Card(name: hello.name, identity: hello.identity?.description, model: hello.model)
    }
    return nil
  }

  /// An id for the device: the slug of the board's name; when that is taken, with the identity or the place.
  public static func id(for card: Card, at place: BoardPlace, taken: Set<String>) -> DeviceID? {
    let candidates = [
      card.name, "\(card.name) \(card.identity ?? "\(place)")", "\(card.name) \(place)", "board \(place)",
    ]
    for candidate in candidates {
      guard let slug = Slug(of: candidate), let id = DeviceID(slug), !taken.contains(id.text) else {
        continue
      }
      return id
    }
    return nil
  }
}
