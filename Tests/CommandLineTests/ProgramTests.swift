import Bridge
import Foundation
import TestSupport
import Testing

@testable import sketch2mqtt

/// The program as a shell sees it.
struct ProgramTests {
  @Test func `help and version go to standard output with status 0`() async throws {
    for line in [["help"], ["--help"], ["help", "run"], ["demo", "--help"], ["version"], ["--version"]] {
      let result = try await Program.run(Program.sketch2mqtt, line)
      #expect(result.status == 0 && result.errors == "" && result.output.contains("sketch2mqtt"))
    }
    let version = try await Program.run(Program.sketch2mqtt, ["--version"])
    #expect(version.output == "sketch2mqtt \(BridgeSettings.version)\n")
  }

  @Test(arguments: [[], ["rnu"], ["run", "--confg", "x"], ["demo", "--seconds", "0"], ["check", "x"]])
  func `a wrong line goes to standard error with status 64`(line: [String]) async throws {
    let result = try await Program.run(Program.sketch2mqtt, line)
    #expect(result.status == 64 && result.output == "")
    #expect(result.errors.hasPrefix("sketch2mqtt: ") && result.errors.contains("Try 'sketch2mqtt help"))
  }

  @Test(arguments: [
    (["monitor", "--seconds", "0"], " monitor"), (["check", "--config"], " check"), (["chek"], ""),
    (["help", "chek"], ""),
  ])
  func `a wrong line leads to the help of its command`(line: [String], topic: String) async throws {
    let result = try await Program.run(Program.sketch2mqtt, line)
    #expect(result.errors.hasSuffix("\nTry 'sketch2mqtt help\(topic)'.\n"))
  }
}
