import Foundation
import TestSupport

/// One file of Sources, as far as these tests read Swift.
struct SwiftSource {
  /// Relative to Sources: `EventLoop/Loop.swift`.
  let path: String
  /// The text without comments.
  let code: String

  var target: String { String(path.prefix { $0 != "/" }) }

  init(path: String, text: String) {
    self.path = path
    code = Self.withoutComments(text)
  }

  /// Every Swift file below Sources, read once.
  static func all() throws -> [SwiftSource] { try files.get() }

  private static let files = Result { try read() }

  private static func read() throws -> [SwiftSource] {
    let root = Program.packageRoot.appending(path: "Sources")
    let paths = try FileManager.default.subpathsOfDirectory(atPath: root.path)
    return try paths.filter { $0.hasSuffix(".swift") }.sorted().map { path in
      SwiftSource(path: path, text: try String(contentsOf: root.appending(path: path), encoding: .utf8))
    }
  }

  /// The modules it imports, whatever attribute, access level or kind of declaration stands before the name.
  var imports: Set<String> {
    let pattern =
      /(?m)^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?import\s+(?:(?:struct|class|enum|protocol|typealias|func|let|var)\s+)?(\w+)/
    return Set(code.matches(of: pattern).map { String($0.1) })
  }

  private static func withoutComments(_ text: String) -> String {
    let bytes = Array(text.utf8)
    var code: [UInt8] = []
    code.reserveCapacity(bytes.count)
    var region = Region.code
    var index = 0
    func isNext(_ mark: StaticString) -> Bool {
      index + mark.utf8CodeUnitCount <= bytes.count
        && (0..<mark.utf8CodeUnitCount).allSatisfy { bytes[index + $0] == mark.utf8Start[$0] }
    }
    while index < bytes.count {
      let before = region
      var width = 1
      switch region {
      case .code:
        if isNext("//") { region = .lineComment }
        if isNext("/*") { region = .blockComment }
        if isNext("\"") { region = .string }
        if isNext("\"\"\"") { (region, width) = (.longString, 3) }
      case .string:
        if isNext("\\") { width = 2 } else if isNext("\"") || isNext("\n") { region = .code }
      case .longString:
        if isNext("\\") { width = 2 } else if isNext("\"\"\"") { (region, width) = (.code, 3) }
      case .lineComment:
        if isNext("\n") { region = .code }
      case .blockComment:
        if isNext("*/") { (region, width) = (.code, 2) }
      }
      if !before.isComment && !region.isComment {
        code += bytes[index..<min(index + width, bytes.count)]
      } else {
        // A comment's end must not glue together what stood around it.
        code.append(isNext("\n") ? 0x0A : 0x20)
      }
      index += width
    }
    return String(decoding: code, as: UTF8.self)
  }

  private enum Region {
    case code, string, longString, lineComment, blockComment
    var isComment: Bool { self == .lineComment || self == .blockComment }
  }
}
