import EventLoop
import Simulation

/// An AR.Drone above a meadow.
///
///     battery PERCENT
///     wind NORTH EAST            m/s, where the air goes
///     lose SHARE                 of the packets, 0 … 1
///     power off | on
///
/// It writes its stage whenever that changes, `stage flying`, and where it is, about twice a second in the air, as a
/// phone on board would tell: `location {"latitude":52.5,…}`.
@Loop final class Drone: Board {
  private let drone: SimulatedDrone
  private var shown = DroneBody.Stage.landed
  private var steps = 0

  init(_ name: String) throws(Refused) {
    do throws(SocketFailure) {
      drone = try SimulatedDrone()
    } catch {
      throw Refused(reason: "\(error)")
    }
    drone.body.battery = 90
    drone.onStep = { [weak self] drone in self?.look(drone, name) }
  }

  var place: String { "ports \(drone.commandPort) \(drone.telemetryPort)" }

  func perform(_ words: [String]) throws(Refused) {
    let numbers = words.dropFirst().compactMap(Double.init)
    switch (words.first, numbers.count) {
    case ("battery", 1): drone.body.battery = numbers[0]
    case ("wind", 2): drone.blow(north: numbers[0], east: numbers[1])
    case ("lose", 1): drone.loss = numbers[0]
    case ("power", _) where words.last == "off": drone.cutPower()
    case ("power", _) where words.last == "on": drone.returnPower()
    default:
      throw Refused(reason: "battery, wind, lose or power, not \(words.joined(separator: " "))")
    }
  }

  func stop() { drone.stop() }

  private func look(_ drone: SimulatedDrone, _ name: String) {
    if drone.body.stage != shown {
      shown = drone.body.stage
      Console.write("\(name) stage \(shown)")
    }
    steps += 1
    if shown != .landed, steps.isMultiple(of: 25) { Console.write("\(name) location \(drone.location)") }
  }
}
