import EventLoop
import Simulation

/// An owner's own board with a thermometer and a lamp: it answers `?` with `t=21.5,l=0`, and takes `L1` and `L0` for the
/// lamp and `D` with a number for how bright it is.
///
///     temperature DEGREES | broken
///     lamp on | off
///     say WORD
///     power off | on
@Loop final class TerraceBoard: RadioBoard {
  private let raw = RawUARTBoard()
  let board: SimulatedBoard
  private var temperature = "21.5"
  private var isLampOn = false
  private var rest = ""

  init(_ name: String, radio: Radio) {
    board = radio.add(raw)
    raw.onPacket = { [unowned self] bytes in
      rest += String(decoding: bytes, as: UTF8.self)
      while let end = rest.firstIndex(of: "\n") {
        let line = String(rest[..<end])
        rest = String(rest[rest.index(after: end)...])
        take(line, name)
      }
    }
  }

  private func take(_ line: String, _ name: String) {
    if line == "?" { return tell() }
    Console.write("\(name) received \(line)")
    guard line == "L0" || line == "L1" else { return }
    isLampOn = line == "L1"
    tell()
  }

  private func tell() { raw.say("t=\(temperature),l=\(isLampOn ? 1 : 0)\n") }

  func perform(_ words: [String]) throws(Refused) {
    if board.perform(power: words) { return }
    switch (words.first, words.dropFirst().first) {
    case ("temperature", let degrees?):
      temperature = degrees == "broken" ? "nan" : degrees
      tell()
    case ("lamp", let state?):
      isLampOn = state == "on"
      tell()
    case ("say", let word?): raw.say(word + "\n")
    default: throw Refused(reason: "temperature DEGREES, lamp on, say WORD, or power")
    }
  }
}
