import Foundation

/// Inputs that are kept, one a file, by subject: good ones, nasty ones, and each that once broke a rule.
enum Corpus {
  static func inputs(for subject: String) throws -> [(name: String, bytes: [UInt8])] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Corpus/\(subject)")
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map { name in
      (name, Array(try Data(contentsOf: folder.appending(path: name))))
    }
  }
}
