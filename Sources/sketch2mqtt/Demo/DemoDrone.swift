import EventLoop
import Simulation

/// An AR.Drone above a meadow, with a phone on board that tells where it is.
@Loop final class DemoDrone: DemoBoard {
  private let drone: SimulatedDrone
  private var phone: LoopTimer?

  init() throws(DemoFailure) {
    do throws(SocketFailure) {
      drone = try SimulatedDrone()
    } catch {
      throw .board("drone", "\(error)")
    }
    drone.blow(north: 0.2, east: -0.3)
  }

  var title: String { "a drone on UDP port \(drone.commandPort)" }

  var configuration: String {
    """
      - name: Drone
        kind: drone
        links:
          board: { udp: "127.0.0.1:\(drone.commandPort)" }
          telemetry: { udp: "127.0.0.1:\(drone.telemetryPort)" }
    """
  }

  var examples: [DemoExample] {
    let target = drone.place(north: 12, east: 8)
    return [
      DemoExample(topic: "drone/take_off/set", payload: "PRESS"),
      DemoExample(
        topic: "drone/target/set",
        payload: #"{"latitude":\#(target.latitude),"longitude":\#(target.longitude)}"#),
      DemoExample(topic: "drone/land/set", payload: "PRESS"),
    ]
  }

  func stop() {
    phone?.cancel()
    drone.stop()
  }

  /// From now on the phone tells where the drone is, more often in the air than on the ground.
  func locate(_ publish: @escaping @Loop (_ topic: String, _ payload: String) -> Void) {
    publish("drone/location/set", drone.location)
    phone = LoopTimer(after: drone.body.stage == .landed ? .seconds(1) : .milliseconds(500)) { [weak self] in
      self?.locate(publish)
    }
  }
}
