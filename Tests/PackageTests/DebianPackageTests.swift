import Foundation
import TestSupport
import Testing

/// `make test` installs what the tests start: the list in the Makefile is kept true.
struct DebianPackageTests {
  private static func output(of program: String, _ arguments: [String]) async throws -> String {
    let result = try await Program.run(program, arguments)
    try #require(result.status == 0, "\(program) \(arguments): \(result.errors)")
    return result.output
  }

  /// As make expands it.
  private static func list(_ name: String) async throws -> Set<String> {
    let database = try await output(of: "make", ["--dry-run", "--print-data-base", "lint"])
    func words(_ name: Substring) -> [Substring] {
      let line = database.split(separator: "\n").first { $0.hasPrefix("\(name) = ") }
      return line?.dropFirst(name.count + 3).split(separator: " ") ?? []
    }
    func expanded(_ name: Substring) -> [String] {
      words(name).flatMap { word in
        word.hasPrefix("$(") ? expanded(word.dropFirst(2).dropLast()) : [String(word)]
      }
    }
    return Set(expanded(name[...]))
  }

  /// The programs that tests name by their whole path.
  private static func startedPrograms() throws -> Set<String> {
    let root = Program.packageRoot.appending(path: "Tests")
    let files = try FileManager.default.subpathsOfDirectory(atPath: root.path).filter {
      $0.hasSuffix(".swift")
    }
    return try files.reduce(into: []) { programs, file in
      let text = try String(contentsOf: root.appending(path: file), encoding: .utf8)
      for match in text.matches(of: /"(\/(?:usr\/)?s?bin\/[\w.-]+)"/) { programs.insert(String(match.1)) }
    }
  }

  @Test func `each program that a test starts comes with a package on the list`() async throws {
    let listed = try await Self.list("TEST_PACKAGES")
    #expect(listed.isSuperset(of: ["mosquitto", "libmosquitto-dev", "dbus-daemon"]))
    let programs = try Self.startedPrograms().subtracting([
      "/usr/bin/sketch2mqtt", "/usr/bin/surely-not-there",
    ])
    #expect(programs.contains("/usr/sbin/mosquitto"))
    for program in programs {
      // Since /bin became a link, packages own a program by one of two names.
      let names = [program, program.hasPrefix("/usr/") ? String(program.dropFirst(4)) : "/usr\(program)"]
      let owner = try await Program.run("dpkg-query", ["--search"] + names).output
      let owners = owner.split(separator: "\n").filter { !$0.hasPrefix("diversion ") }
      let package = try #require(
        owners.first?.split(separator: ":").first.map(String.init), "no package has \(program)")
      let essential = try await Self.output(
        of: "dpkg-query", ["--show", "--showformat=${Essential} ${Priority}", package])
      #expect(
        listed.contains(package) || essential.hasPrefix("yes") || package == "make",
        "\(program) comes with \(package), which the Makefile does not list")
    }
  }
}
