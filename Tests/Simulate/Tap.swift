import EventLoop
import Simulation

/// Between the radio and a board: writes each packet that the board gets, `NAME received TEXT`, and passes it on.
@Loop final class Tap: SimulatedPeripheral {
  private let name: String
  private let board: any SimulatedPeripheral
  private let inHexadecimal: Bool
  private let taken: @Loop () -> Void

  /// - Parameter taken: Called when the board has taken a packet.
  init(
    _ name: String, _ board: any SimulatedPeripheral, inHexadecimal: Bool = false,
    taken: @escaping @Loop () -> Void = {}
  ) {
    self.name = name
    self.board = board
    self.inHexadecimal = inHexadecimal
    self.taken = taken
  }

  var advertisedName: String? { board.advertisedName }
  var services: [SimulatedService] { board.services }
  func connected(_ link: SimulatedLink) { board.connected(link) }
  func disconnected() { board.disconnected() }
  func read(_ characteristic: String) -> Result<[UInt8], BlueZFault> { board.read(characteristic) }

  func written(_ bytes: [UInt8], to characteristic: String) {
    let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    Console.write("\(name) received \(inHexadecimal ? digits : String(decoding: bytes, as: UTF8.self))")
    board.written(bytes, to: characteristic)
    taken()
  }
}
