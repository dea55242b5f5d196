/// Which boards that describe themselves become devices without being configured: `accept:`.
public enum AcceptancePolicy: Hashable, Sendable {
  /// None, and none are looked for.
  case off
  /// Each that announces itself by Bluetooth.
  case all
  /// Those at these places. Others that announce themselves are shown, and accepted on request.
  case only([BoardPlace])

  /// Whether the board there becomes a device without being asked for.
  public func accepts(_ place: BoardPlace) -> Bool {
    switch self {
    case .off: false
    case .all: true
    case .only(let places): places.contains(place)
    }
  }

  /// Whether the air is listened to for boards.
  public var looksForBluetooth: Bool {
    switch self {
    case .off: false
    case .all: true
    case .only(let places): places.isEmpty || places.contains(where: \.isAnnounced)
    }
  }

  /// Links on which a board is listened for.
  public var links: [BoardPlace] {
    guard case .only(let places) = self else { return [] }
    return places.filter { !$0.isAnnounced }
  }
}
