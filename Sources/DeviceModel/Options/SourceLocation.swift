/// A place in a file which its owner can open: what every configuration error names.
public struct SourceLocation: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// As the owner named it.
  public var file: String
  /// From 1; 0 if the file as a whole is meant.
  public var line: Int
  /// From 1, in characters; 0 if the file as a whole is meant.
  public var column: Int

  public init(file: String, line: Int = 0, column: Int = 0) {
    self.file = file
    self.line = line
    self.column = column
  }

  /// `config.yaml:12:5`, or the file alone.
  public var description: String { line > 0 ? "\(file):\(line):\(column)" : file }

  public static func < (left: SourceLocation, right: SourceLocation) -> Bool {
    (left.file, left.line, left.column) < (right.file, right.line, right.column)
  }

  /// What relative paths in this file are relative to; empty for the working directory.
  var directory: String {
    guard let slash = file.lastIndex(of: "/") else { return "" }
    return String(file[...slash])
  }

  /// `path` as seen from the working directory, if it was written in this file.
  public func resolve(path: String) -> String { path.hasPrefix("/") ? path : directory + path }
}
