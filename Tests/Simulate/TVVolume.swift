import EventLoop
import Simulation

/// A board that plays a TV's volume keys.
///
///     tv on | off
///     power off | on
///
/// It writes the TV's volume after each key: `volume 31`.
@Loop final class TVVolume: RadioBoard {
  private let tv = TVBoard()
  let board: SimulatedBoard

  init(_ name: String, radio: Radio) {
    board = radio.add(Tap(name, tv) { [tv] in Console.write("\(name) volume \(tv.volume)") })
  }

  func perform(_ words: [String]) throws(Refused) {
    if board.perform(power: words) { return }
    guard words.count == 2, words[0] == "tv" else {
      throw Refused(reason: "tv or power, not \(words.joined(separator: " "))")
    }
    tv.isTVOn = words[1] == "on"
  }

  func stop() { tv.powerOff() }
}
