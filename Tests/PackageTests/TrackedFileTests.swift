import Foundation
import TestSupport
import Testing

/// What is in the repository, as git sees it.
struct TrackedFileTests {
  static func trackedFiles() async throws -> [String] {
    let result = try await Program.run("git", ["-c", "safe.directory=*", "ls-files", "-z"])
    try #require(result.status == 0, "git ls-files: \(result.errors)")
    return result.output.split(separator: "\0").map(String.init)
  }

  /// A path that exists on one machine only, or none. Written so that this file does not contain one.
  static func foreignPath(in text: String) -> Substring? {
    text.firstMatch(of: /(?:^|[^\w.~\/-])\/(?:work|root|home\/\w+|Users\/\w+)\/[\w.]/)?.0
  }

  @Test func `no tracked file names a path of one machine`() async throws {
    let files = try await Self.trackedFiles()
    #expect(files.contains("Package.swift"))
    for file in files where file != "Tests/PackageTests/TrackedFileTests.swift" {
      guard let text = try? String(contentsOf: Program.packageRoot.appending(path: file), encoding: .utf8)
      else {
        continue
      }
      let path = Self.foreignPath(in: text)
      #expect(path == nil, "\(file) names \(path ?? "")")
    }
  }

  @Test func `the top level holds what belongs there`() async throws {
    let allowed: Set = [
      "Package.swift", "Package.resolved", "Sources", "Tests", "Arduino", "examples", "docker", "README.md",
      "Makefile", "LICENSE", "CHANGELOG.md",
    ]
    let top = Set(try await Self.trackedFiles().map { String($0.prefix { $0 != "/" }) })
    #expect(top.filter { !$0.hasPrefix(".") && !allowed.contains($0) }.sorted() == [])
  }

  @Test(arguments: ["cd /" + "work/tree", "(/root/.ssh)", "\"/home/anna/x\"", "path=/Users/anna/x"])
  func `a machine's path is recognised`(text: String) {
    #expect(Self.foreignPath(in: text) != nil)
  }

  @Test(arguments: [
    "Sources/" + "work/x", "https://example.org/" + "work/x", "/usr/share/x", "/etc/home/x", "~/.config/x",
  ])
  func `a path that all machines have is let be`(text: String) {
    #expect(Self.foreignPath(in: text) == nil)
  }
}
