import EventLoop
import Simulation

/// A simulated board that is told in words what happens to it.
@Loop protocol Board: AnyObject {
  /// What a client reaches it by, such as `port 40001`.
  var place: String { get }
  func perform(_ words: [String]) throws(Refused)
  func stop()
}

/// One that is reached by Bluetooth.
@Loop protocol RadioBoard: Board {
  var board: SimulatedBoard { get }
}

extension RadioBoard {
  var place: String { "ble \(board.address)" }
  func stop() {}
}

/// A command that cannot be carried out.
struct Refused: Error {
  let reason: String
}
