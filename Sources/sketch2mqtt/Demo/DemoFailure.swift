import Glibc

/// Why there is no demo.
enum DemoFailure: Error, CustomStringConvertible {
  case noBroker
  /// With the last lines it wrote.
  case brokerEnded([String])
  /// What was wanted, and `errno`.
  case system(String, Int32)
  case board(String, String)

  var description: String {
    switch self {
    case .noBroker: "the demo needs mosquitto, which is not here (Debian: apt-get install mosquitto)"
    case .brokerEnded(let lines):
      (["mosquitto did not start"] + lines.map { "  \($0)" }).joined(separator: "\n")
    case .system(let what, let code): "\(what): \(String(cString: strerror(code)))"
    case .board(let name, let reason): "the simulated \(name): \(reason)"
    }
  }
}
