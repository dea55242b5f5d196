import Adapters
import Configuration
import DeviceModel

extension Subject {
  /// A configuration or problems, in bounded numbers and words that are fit for a terminal.
  static let yaml = Subject("yaml") { input throws(Violation) in
    // What follows might name a file of this machine.
    var text = input
    for index in text.indices where text[index...].starts(with: "!file".utf8) {
      text[index + 1] = UInt8(ascii: "F")
    }
    let (configuration, problems) = Configuration.read(
      text, file: "fuzz.yaml", kinds: Registry.kinds, environment: { $0 == "SECRET" ? "hidden" : nil })
    try require(configuration != nil || !problems.isEmpty, "neither a configuration nor a problem")
    try require(problems.count <= Configuration.maximumProblems + 1, "\(problems.count) problems")
    for problem in problems {
      let words = problem.description
      try require(words.utf8.count <= 3000, "\(words.utf8.count) bytes of words: \(words.prefix(300))")
      let isFit = words.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
      try require(isFit, "a control character in: \(words)")
      try require(!words.contains("hidden"), "a secret in: \(words)")
    }
  }
}
