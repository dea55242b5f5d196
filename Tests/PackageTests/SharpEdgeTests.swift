import Foundation
import Testing

/// What the compiler takes on trust, and what stops the process on a mistake.
struct SharpEdgeTests {
  struct Edge: Hashable, CustomStringConvertible {
    let name: String
    let file: String
    var description: String { "\(name) in \(file)" }
  }

  /// Each carries its proof in a comment where it stands.
  static let proven: Set<Edge> = [
    Edge(name: "unsafeBitCast", file: "EventLoop/Loop.swift")
  ]

  static func edges(in source: SwiftSource) -> Set<Edge> {
    let patterns: [(String, Regex<Substring>)] = [
      ("try!", /\btry!/),
      ("as!", /\bas!/),
      ("@unchecked Sendable", /@unchecked\s+Sendable\b/),
      ("nonisolated(unsafe)", /\bnonisolated\s*\(\s*unsafe\s*\)/),
      ("fatalError", /\bfatalError\s*\(/),
      ("unsafeBitCast", /\bunsafeBitCast\s*\(/),
      ("Task.sleep", /\bTask\.sleep\b/),
      ("unowned(unsafe)", /\bunowned\s*\(\s*unsafe\s*\)/),
    ]
    return Set(
      patterns.filter { source.code.contains($0.1) }.map { Edge(name: $0.0, file: source.path) })
  }

  @Test func `Sources holds no sharp edge but the proven ones`() throws {
    let found = Set(try SwiftSource.all().flatMap(Self.edges))
    #expect(found.subtracting(Self.proven).map(\.description).sorted() == [])
    #expect(
      Self.proven.subtracting(found).map(\.description).sorted() == [],
      "no longer there: take it off the list")
  }

  @Test(arguments: [
    "let x = try! f()", "let y = x as! Int", "final class C: @unchecked Sendable {}",
    "nonisolated(unsafe) var x = 0", "nonisolated (unsafe) var x = 0", "fatalError(\"no\")",
    "unsafeBitCast(a, to: B.self)", "try await Task.sleep(for: .seconds(1))", "unowned(unsafe) let x: C",
    "let s = \"https://a\"; try! f()", "let s = \"\\\"//\"; try! f()", "f() /* why */ as! B",
  ])
  func `each edge is recognised`(text: String) {
    #expect(Self.edges(in: SwiftSource(path: "X/x.swift", text: text)).count == 1)
  }

  @Test(arguments: [
    "try f()", "x as? Int", "/// never `try!`", "let s = \"https://a\" // as! B", "/* fatalError( */ f()",
  ])
  func `what only looks like one is let be`(text: String) {
    #expect(Self.edges(in: SwiftSource(path: "X/x.swift", text: text)).isEmpty)
  }
}
