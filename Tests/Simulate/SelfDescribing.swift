import EventLoop
import Simulation

/// A greenhouse that describes itself, on TCP.
///
///     set KEY VALUE              as in a line: 21.5, ?, "text
///     fire KEY TYPE
///     flash                      other firmware, with a pump and a level alone
///     power off | on
@Loop final class SelfDescribing: Board {
  private let sketch: SketchOnTCP

  init(_ name: String) throws(Refused) {
    do throws(SocketFailure) {
      sketch = try SketchOnTCP(.greenhouse())
    } catch {
      throw Refused(reason: "\(error)")
    }
    sketch.board.onObeyed = { Console.write("\(name) received \($0)") }
  }

  var place: String { "port \(sketch.port)" }

  func perform(_ words: [String]) throws(Refused) {
    switch words.first {
    case "set" where words.count == 3: sketch.board.change { $0.set(words[1], words[2]) }
    case "fire" where words.count == 3: sketch.board.change { $0.fire(words[1], words[2]) }
    case "flash" where words.count == 1:
      sketch.board.flash(
        SelfDescribingSketch(
          "Glass house", keepsIdentity: true,
          [SketchEntity("w", "pump", "Pump"), SketchEntity("s", "level", "Level", "u%")]))
    case "power" where words.last == "off": sketch.cutPower()
    case "power" where words.last == "on": sketch.returnPower()
    default: throw Refused(reason: "set, fire, flash or power, not \(words.joined(separator: " "))")
    }
  }

  func stop() { sketch.stop() }
}
