import Foundation
import TestSupport
import Testing

/// The program as it ships: `make build` puts it there.
struct ReleaseBinaryTests {
  static let path = Program.packageRoot.appending(path: ".build/release/sketch2mqtt").path

  static func requireBinary() throws {
    try #require(
      FileManager.default.isExecutableFile(atPath: path),
      "\(path) is missing: build it with `make build` (`make test` does)")
  }

  /// Libraries of the system that the program may need. Swift's own are linked into it.
  static let allowedLibraries: Set<String> = [
    "libmosquitto.so.1", "libdbus-1.so.3", "libyaml-0.so.2", "libjansson.so.4", "libcrypto.so.3",
    "libc.so.6", "libm.so.6", "libgcc_s.so.1", "libstdc++.so.6", "ld-linux-x86-64.so.2",
    "ld-linux-aarch64.so.1",
    "ld-linux-armhf.so.3",
  ]

  @Test func `it needs only the C libraries it names`() async throws {
    try Self.requireBinary()
    let result = try await Program.run("readelf", ["-d", Self.path])
    try #require(result.status == 0, "\(result.errors)")
    let needed = Set(result.output.matches(of: /\(NEEDED\).*\[(.+)\]/).map { String($0.1) })
    #expect(needed.contains("libc.so.6"))
    #expect(needed.subtracting(Self.allowedLibraries).sorted() == [])
  }

  /// Marks of full Foundation, its internationalisation and CoreFoundation in what `nm` prints.
  static func foundationMarks(in symbols: String) -> [String] {
    ["$s10Foundation", "$s30FoundationInternationalization", " CFRunLoop", " _CFString"]
      .filter { symbols.range(of: $0) != nil }
  }

  @Test func `it holds nothing of full Foundation`() async throws {
    try Self.requireBinary()
    let result = try await Program.run("nm", [Self.path])
    try #require(result.status == 0, "\(result.errors)")
    #expect(result.output.range(of: "sketch2mqtt_main") != nil, "stripped: its symbols say nothing")
    #expect(Self.foundationMarks(in: result.output) == [])
  }

  /// `contains`, `replacing` and `split` with a text as their argument bring it in: nearly a megabyte.
  @Test func `it holds no engine for regular expressions`() async throws {
    try Self.requireBinary()
    let result = try await Program.run("nm", [Self.path])
    try #require(result.status == 0, "\(result.errors)")
    #expect(result.output.range(of: "sketch2mqtt_main") != nil, "stripped: its symbols say nothing")
    let engine = result.output.split(separator: "\n")
      .filter { $0.contains("17_StringProcessing") || $0.contains("12_RegexParser") }
    #expect(engine.prefix(5) == [])
  }

  @Test(arguments: [
    "0000 T $s10Foundation4DateV", "0000 T $s30FoundationInternationalization0A0", "0000 t CFRunLoopRun",
  ])
  func `Foundation is recognised by its symbols`(line: String) {
    #expect(Self.foundationMarks(in: line).count == 1)
  }

  @Test(arguments: ["0000 T $s20FoundationEssentials4DataV", "0000 T $s11sketch2mqtt4MainV"])
  func `FoundationEssentials and our own names are not taken for it`(line: String) {
    #expect(Self.foundationMarks(in: line).isEmpty)
  }
}
