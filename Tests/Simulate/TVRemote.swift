import EventLoop
import Simulation

/// A TV's board with a newer sketch: in lines, with an infra-red receiver.
///
///     see TEXT                   a remote control's code, as the board tells it
///     power off | on
///
/// It writes what it plays: `played mute`, `played 38000 Hz: 9000 -4500 …`.
@Loop final class TVRemote: RadioBoard {
  private let tv = NewerTVBoard()
  let board: SimulatedBoard

  init(_ name: String, radio: Radio) {
    board = radio.add(tv)
    tv.onPlayed = { Console.write("\(name) played \($0)") }
  }

  func perform(_ words: [String]) throws(Refused) {
    if board.perform(power: words) { return }
    guard words.count == 2, words[0] == "see" else {
      throw Refused(reason: "see or power, not \(words.joined(separator: " "))")
    }
    tv.see([words[1]])
  }

  func stop() { tv.stop() }
}
