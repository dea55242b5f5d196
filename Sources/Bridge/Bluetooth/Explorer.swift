import BlueZ
import DeviceModel
import EventLoop

/// Boards that nobody has declared: heard, connected, read, written and listened to, by request.
@Loop final class Explorer {
  private let links: LinkFactory
  private var boards: [ExploredBoard] = []
  /// For a link that nobody uses.
  var idle = Duration.seconds(60)

  /// An adapter holds some seven links, and the bridge's own boards need theirs.
  static let mostBoards = 6
  /// Told of in one scan.
  static let mostHeard = 500

  /// The device whose board this is, if any.
  var owner: @Loop (_ address: String?, _ name: String?) -> DeviceID? = { _, _ in nil }
  var onValue: @Loop (_ address: String, GATTCharacteristic, _ encoding: String, [UInt8]) -> Void = {
    _, _, _, _ in
  }
  /// A connection is over that nobody ended by request.
  var onEnd: @Loop (_ address: String, _ reason: String) -> Void = { _, _ in }

  init(_ links: LinkFactory) { self.links = links }

  var radio: BluetoothCentral { links.radio }

  /// Throws when no board can be reached, with what is wrong.
  func ready() async throws(ExplorerError) {
    let status = await links.bluetoothSettled()
    if let problem = status.problem { throw .bluetooth(problem) }
    guard status.adapter == .poweredOn else { throw .bluetooth(.noAnswer) }
  }

  /// Everything heard within `time`, the strongest first.
  func scan(for time: Duration, where isWanted: @Loop (Advertisement) -> Bool) async throws(ExplorerError)
    -> [Advertisement]
  {
    try await ready()
    let heard = Heard()
    let observation = radio.observeAdvertisements { advertisement in
      let before = heard.all[advertisement.address]
      guard before != nil || heard.all.count < Self.mostHeard else { return }
      var advertisement = advertisement
      // While a board connects, others may be heard without their strength.
      advertisement.rssiDBm = advertisement.rssiDBm ?? before?.rssiDBm
      heard.all[advertisement.address] = advertisement
    }
    try? await Loop.sleep(for: time)
    observation.cancel()
    if let problem = radio.status.problem { throw .bluetooth(problem) }
    return heard.all.values.filter { isWanted($0) }.sorted {
      ($0.rssiDBm ?? -128, $1.address) > ($1.rssiDBm ?? -128, $0.address)
    }
  }

  private final class Heard {
    var all: [String: Advertisement] = [:]
  }

  /// The board that is connected or, within `limit`, gets connected.
  func board(_ selector: BoardSelector, within limit: Duration) async throws(ExplorerError) -> ExploredBoard {
    try await ready()
    if let board = known(selector) { return board }
    switch selector {
    case .address(let address): if let id = owner(address, nil) { throw .owned(id) }
    case .name(let name): if let id = owner(nil, name) { throw .owned(id) }
    }
    guard boards.count < Self.mostBoards else { throw .tooManyBoards(Self.mostBoards) }
    let board = ExploredBoard(radio.peripheral(selector), idle: idle)
    boards.append(board)
    board.onEnd = { [weak self, unowned board] reason in
      self?.boards.removeAll { $0 === board }
      self?.onEnd(board.name, reason?.description ?? "nobody uses it")
    }
    board.onValue = { [weak self, unowned board] in self?.onValue(board.name, $0, $1, $2) }
    return board
  }

  /// Connects a board in its turn, and forgets it when that fails.
  func connect(_ board: ExploredBoard, within limit: Duration) async throws(ExplorerError) {
    do throws(ExplorerError) {
      try await board.connect(within: limit)
      if let id = owner(board.address, board.peripheral.advertisement?.name) { throw .owned(id) }
    } catch {
      forget(board)
      throw error
    }
  }

  /// False for one that is not connected by request.
  func disconnect(_ selector: BoardSelector) -> Bool {
    guard let board = known(selector) else { return false }
    forget(board)
    return true
  }

  func stop() { for board in boards { forget(board) } }

  private func forget(_ board: ExploredBoard) {
    boards.removeAll { $0 === board }
    board.end()
  }

  private func known(_ selector: BoardSelector) -> ExploredBoard? {
    boards.first { board in
      if board.peripheral.board == selector { return true }
      let advertisement = board.peripheral.advertisement
      switch selector {
      case .address(let address): return advertisement?.address == address
      case .name(let name): return advertisement?.name == name
      }
    }
  }
}

extension ExploredBoard {
  var name: String { address ?? peripheral.board.description }
}
