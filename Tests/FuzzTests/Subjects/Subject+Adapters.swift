import DeviceModel

@testable import Adapters

extension Subject {
  /// Whatever a board says and whenever it falls silent: only what is described is reported, in bounded numbers.
  static let adapters = Subject("adapters") { input throws(Violation) in
    var choices = Choices(input)
    let made: [any Adapter] =
      [
        PetDoor(), PowerPlug(), PowerPlug(slots: 3), UART(framing: .line), UART(encoding: .hex),
        SelfDescribing(mayAsk: true), Rover(), TVVolume(), Drone(),
      ]
      + [GATT.kind, Beacon.kind].compactMap { kind in
        var problems: [ConfigurationProblem] = []
        let options = kind.options.check(LocatedValue(kind.example), path: "options", problems: &problems)
        return kind.makeAdapter(options, &problems)
      }
    var adapter = made[choices.number(below: made.count)]
    var keys = Set(adapter.description.properties.map(\.key))
    var now = Moment(uptime: .zero, wall: Timestamp(seconds: 1_796_000_000))
    var timers: [String: Duration] = [:]
    var outputs: [Output] = []

    func take(_ event: Input) throws(Violation) {
      outputs.removeAll(keepingCapacity: true)
      adapter.handle(event, at: now, into: &outputs)
      try require(outputs.count <= 20_000, "\(outputs.count) outputs")
      for output in outputs {
        switch output {
        case .describe(let description): keys = Set(description.properties.map(\.key))
        case .report(let key, _): try require(keys.contains(key), "\(key) is reported and not described")
        case .setTimer(let name, let delay):
          try require(delay >= .zero, "timer \(name) is set into the past")
          timers[name] = now.uptime + delay
        case .setTimerWhenKept(let name): timers[name] = now.uptime
        case .cancelTimer(let name): timers[name] = nil
        default: break
        }
      }
      try require(timers.count <= 30, "\(timers.count) timers")
    }

    try take(.linkUp(.board, maximumPacket: nil))
    while !choices.isAtEnd {
      switch choices.number(below: 8) {
      case 0: try take(.linkDown(.board, "gone"))
      case 1: try take(.linkUp(.board, maximumPacket: choices.number(below: 64)))
      case 2: try take(.refresh)
      case 3: try take(.transmit(number: 1, choices.bytes()))
      case 4:
        guard let next = timers.min(by: { ($0.value, $0.key) < ($1.value, $1.key) }) else { continue }
        timers[next.key] = nil
        if next.value > now.uptime { now = now.advanced(by: next.value - now.uptime) }
        try take(.timerFired(next.key))
      default: try take(.received(.board, choices.bytes()))
      }
    }
  }
}
