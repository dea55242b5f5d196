import EventLoop
import Simulation

/// A board that is nothing but a UART.
///
///     say WORD
///     power off | on
@Loop final class RawBoard: RadioBoard {
  private let raw = RawUARTBoard()
  let board: SimulatedBoard

  init(_ name: String, radio: Radio) {
    board = radio.add(raw)
    raw.onPacket = { Console.write("\(name) received \(String(decoding: $0, as: UTF8.self))") }
  }

  func perform(_ words: [String]) throws(Refused) {
    if board.perform(power: words) { return }
    guard words.count == 2, words[0] == "say" else { throw Refused(reason: "say WORD, or power") }
    raw.say(words[1])
  }
}
