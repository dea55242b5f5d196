import Foundation
import Testing

/// Every decoder under kept inputs and changes of them.
///
/// The inputs are always the same; `FUZZ_SEED` makes others, `FUZZ_ROUNDS` more. Tests/Fuzz/run goes by coverage.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct FuzzTests {
  private static let subjects = Subject.all + [.log]

  private static let rounds = number("FUZZ_ROUNDS") ?? 1500
  private static let seed = number("FUZZ_SEED") ?? 2_003_746_419_861_591_331

  private static func number(_ variable: String) -> UInt64? {
    ProcessInfo.processInfo.environment[variable].flatMap { UInt64($0) }
  }

  @Test(arguments: subjects.map(\.name))
  func `a decoder keeps its rules under any bytes`(name: String) throws {
    let subject = try #require(Self.subjects.first { $0.name == name })
    let corpus = try Corpus.inputs(for: name)
    try #require(!corpus.isEmpty)
    for (file, bytes) in corpus {
      do { try subject.check(bytes) } catch { Issue.record("Corpus/\(name)/\(file): \(error)") }
    }
    // Written before, for a crash ends the process.
    FileHandle.standardError.write(Data("\(name): FUZZ_SEED=\(Self.seed)\n".utf8))
    var mutation = Mutation(of: corpus.map(\.bytes), seed: Self.seed)
    for round in 0..<Self.rounds {
      let bytes = mutation.next()
      do {
        try subject.check(bytes)
      } catch {
        Issue.record(
          "\(name), FUZZ_SEED=\(Self.seed), round \(round): \(error); base64: \(Data(bytes).base64EncodedString())"
        )
        return
      }
    }
  }

  @Test func `a rule that is broken is seen`() throws {
    let refusing = Subject("refusing") { bytes throws(Violation) in
      try require(!bytes.contains(0x7B), "an opening brace")
    }
    var mutation = Mutation(of: [Array(#"{"a":1}"#.utf8)], seed: Self.seed)
    let broken = (0..<200).contains { _ in (try? refusing.check(mutation.next())) == nil }
    #expect(broken)
  }

  @Test func `a seed makes the same inputs again`() {
    let corpus: [[UInt8]] = [[1, 2, 3, 4], Array("hello".utf8)]
    var first = Mutation(of: corpus, seed: 7)
    var second = Mutation(of: corpus, seed: 7)
    for _ in 0..<100 { #expect(first.next() == second.next()) }
  }
}
