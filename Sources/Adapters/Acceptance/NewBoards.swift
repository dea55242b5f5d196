public import DeviceModel

/// The boards that announce themselves and are no devices yet: decides what becomes of each, and does nothing itself.
public struct NewBoards: Sendable {
  private let policy: AcceptancePolicy
  private var boards: [BoardPlace: Board] = [:]

  /// One that announces itself.
  public struct Board: Hashable, Sendable {
    public var place: BoardPlace
    /// What its advertisement calls it.
    public var name: String?
    public var rssiDBm: Int?
    public var heardAt: Timestamp
    /// Its advertisement has said so; false for one that was only asked for.
    public var isAnnounced: Bool
    /// It is about to become a device.
    public var isAccepted: Bool
  }

  /// What is to be done about a board.
  public enum Decision: Hashable, Sendable {
    /// To be told: it is new here.
    case show(Board)
    /// To be told, and to be made a device.
    case accept(Board)
  }

  /// Boards that are remembered; the one that was heard of longest ago makes room.
  public static let most = 64
  /// One that is not heard of for so long is gone.
  public static let patience = Duration.seconds(600)

  public init(_ policy: AcceptancePolicy) { self.policy = policy }

  /// Those that are there and no devices, the newest last.
  public var found: [Board] {
    boards.values.sorted { ($0.heardAt, "\($0.place)") < ($1.heardAt, "\($1.place)") }
  }

  /// - Parameter advertisement: Of a board that is no device already.
  public mutating func hear(_ advertisement: Advertisement, at now: Timestamp) -> Decision? {
    guard policy != .off, Self.announces(advertisement),
      let address = BluetoothAddress(advertisement.address)
    else { return nil }
    forget(before: now)
    let place = BoardPlace.ble(address)
    if var board = boards[place] {
      board.name = advertisement.name ?? board.name
      board.rssiDBm = advertisement.rssiDBm ?? board.rssiDBm
      board.heardAt = now
      board.isAnnounced = true
      boards[place] = board
      return nil
    }
    let board = Board(
      place: place, name: advertisement.name, rssiDBm: advertisement.rssiDBm, heardAt: now,
      isAnnounced: true, isAccepted: policy.accepts(place))
    makeRoom()
    boards[place] = board
    return board.isAccepted ? .accept(board) : .show(board)
  }

  /// Somebody asks for a board by its place, or by the name that it is advertised with.
  public mutating func accept(_ text: String, at now: Timestamp) throws(Rejection) -> BoardPlace {
    let named = boards.values.filter { $0.name == text }
    guard named.count <= 1 else {
      let places = named.map(\.place.description).sorted().joined(separator: ", ")
      throw Rejection(.invalid, "\(named.count) boards are called '\(text.excerpt)': say which, \(places)")
    }
    guard let place = named.first?.place ?? BoardPlace(text) else {
      let found = found.map(\.place.description)
      let near = nearestName(to: text, among: found).map { "; did you mean '\($0)'?" } ?? ""
      throw Rejection(
        .invalid,
        "no board '\(text.excerpt)' has announced itself: the address of one is expected, or a host and port,"
          + " or the path of a serial port\(near)")
    }
    if boards[place] == nil { makeRoom() }
    var board =
      boards[place]
      ?? Board(place: place, name: nil, rssiDBm: nil, heardAt: now, isAnnounced: false, isAccepted: true)
    board.isAccepted = true
    boards[place] = board
    return place
  }

  /// It may be asked who it is.
  public func isAnnounced(_ place: BoardPlace) -> Bool { boards[place]?.isAnnounced == true }

  /// It is a device now, or is not to become one.
  public mutating func forget(_ place: BoardPlace) { boards[place] = nil }

  /// The service of such boards, or a name that begins with theirs.
  public static func announces(_ advertisement: Advertisement) -> Bool {
    advertisement.services.contains(service) || advertisement.name?.hasPrefix("S2M") == true
  }

  static let service = BluetoothUUID(high: 0xB7E1_641B_5E7F_489F, low: 0x8315_6081_7B4B_AAEA)

  private mutating func forget(before now: Timestamp) {
    boards = boards.filter { _, board in board.isAccepted || board.heardAt.advanced(by: Self.patience) > now }
  }

  private mutating func makeRoom() {
    guard boards.count >= Self.most, let oldest = found.first else { return }
    boards[oldest.place] = nil
  }
}
