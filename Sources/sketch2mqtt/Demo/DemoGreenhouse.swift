import EventLoop
import Simulation

/// A board that describes itself, on TCP: its temperature goes up and down, and every half a minute its bell rings.
@Loop final class DemoGreenhouse: DemoBoard {
  private let sketch: SketchOnTCP
  private var weather: LoopTimer?
  private var turns = 0

  init() throws(DemoFailure) {
    do throws(SocketFailure) {
      sketch = try SketchOnTCP(.greenhouse())
    } catch {
      throw .board("greenhouse", "\(error)")
    }
    change()
  }

  var title: String { "a greenhouse that describes itself on TCP port \(sketch.port)" }

  var configuration: String {
    """
      - name: Greenhouse
        kind: self_describing
        link: { tcp: "127.0.0.1:\(sketch.port)" }
    """
  }

  var examples: [DemoExample] {
    [
      DemoExample(topic: "greenhouse/pump/set", payload: "ON"),
      DemoExample(topic: "greenhouse/set", payload: #"{"target":21.5,"mode":"away"}"#),
      DemoExample(topic: "greenhouse/roof/set", payload: "OPEN"),
    ]
  }

  func stop() {
    weather?.cancel()
    sketch.stop()
  }

  private func change() {
    weather = LoopTimer(after: .seconds(5)) { [weak self] in
      guard let self else { return }
      turns += 1
      let tenths = [215, 221, 228, 224, 218, 212][turns % 6]
      sketch.board.change { sketch in
        sketch.set("temperature", "\(tenths / 10).\(tenths % 10)")
        if turns % 6 == 0 { sketch.fire("bell", "short") }
      }
      change()
    }
  }
}
