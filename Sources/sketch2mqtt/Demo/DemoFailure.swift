import Glibc
import Simulation

/// Why there is no demo.
enum DemoFailure: Error, CustomStringConvertible {
  case noBroker
  case noBus
  /// The files that are not there.
  case noFirmware([String])
  /// With the last lines it wrote.
  case brokerEnded([String])
  /// What was wanted, and `errno`.
  case system(String, Int32)
  /// Which one, and why.
  case board(String, String)
  /// The demo's own configuration is not taken.
  case configuration([String])

  var description: String {
    switch self {
    case .noBroker: "the demo needs mosquitto, which is not here (Debian: apt-get install mosquitto)"
    case .noBus: "the demo needs dbus-daemon, which is not here (Debian: apt-get install dbus-daemon)"
    case .noFirmware(let files):
      Self.lines("the firmware is not built; these files are not there", files)
        + "\n'make firmware', in the folder of the sources, makes them, from there start the demo again"
        + " (Debian: apt-get install \(FirmwareFiles.packages.joined(separator: " ")))"
    case .brokerEnded(let lines): Self.lines("the demo's mosquitto ended", lines)
    case .system(let what, let code): "\(what): \(String(cString: strerror(code)))"
    case .board(let name, let reason): "the simulated \(name): \(reason)"
    case .configuration(let lines): Self.lines("the demo's configuration is wrong", lines)
    }
  }

  private static func lines(_ heading: String, _ lines: [String]) -> String {
    ([heading] + lines.map { "  \($0)" }).joined(separator: "\n")
  }
}
