import Foundation

/// What the process occupies after some rounds, printed for the process that asked for it.
struct RoundsReport {
  static let variable = "SKETCH2MQTT_REPORT_ROUNDS"

  let round: Int
  let residentKilobytes: Int

  /// Whether the variable is set: no other test runs in this process then.
  static var isWanted: Bool { ProcessInfo.processInfo.environment[variable] != nil }

  /// Prints a line at rounds 100 and 200 when one is wanted.
  static func tell(after round: Int) {
    guard isWanted, round.isMultiple(of: 100),
      let statistics = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
    else { return }
    let pages = statistics.split(separator: " ").compactMap { Int($0) }
    print("\nrounds \(round) resident \(pages[1] * 4) kB\n")
  }

  /// Reads such a line; nil for any other.
  init?(_ line: String) {
    guard let match = line.wholeMatch(of: /rounds (\d+) resident (\d+) kB/), let round = Int(match.1),
      let resident = Int(match.2)
    else { return nil }
    self.round = round
    residentKilobytes = resident
  }
}
