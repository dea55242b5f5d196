import EventLoop
import Simulation

/// A board that plays a TV's volume keys.
///
///     tv on | off
///     power off | on
///
/// It writes the TV's volume after each key: `volume 31`.
@Loop final class TVVolume: Board, SimulatedPeripheral {
  private let name: String
  private let tv = TVBoard()
  private var board: SimulatedBoard?

  init(_ name: String, radio: Radio) {
    self.name = name
    board = radio.add(self)
  }

  var place: String { "ble \(board?.address ?? "")" }

  func perform(_ words: [String]) throws(Refused) {
    if board?.perform(power: words) == true { return }
    guard words.count == 2, words[0] == "tv" else {
      throw Refused(reason: "tv or power, not \(words.joined(separator: " "))")
    }
    tv.isTVOn = words[1] == "on"
  }

  func stop() { tv.powerOff() }

  // MARK: On the air

  var advertisedName: String? { tv.advertisedName }
  var services: [SimulatedService] { tv.services }
  func connected(_ link: SimulatedLink) { tv.connected(link) }
  func disconnected() { tv.disconnected() }

  func written(_ bytes: [UInt8], to characteristic: String) {
    Console.write("\(name) received \(String(decoding: bytes, as: UTF8.self))")
    tv.written(bytes, to: characteristic)
    Console.write("\(name) volume \(tv.volume)")
  }
}
