import Glibc

/// What the system did not give or do, with its error number.
public struct SystemCallFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// Such as `no thread`.
  public let what: String
  /// An `errno`.
  public let code: Int32

  public init(_ what: String, code: Int32) {
    self.what = what
    self.code = code
  }

  /// With the present `errno`.
  public init(_ what: String) { self.init(what, code: errno) }

  public var description: String { "\(what): \(String(cString: strerror(code)))" }
}
