/// What holds for everything that is sent.
struct SendingRule: Sendable, Hashable {
  var checksum: Checksum?
  /// Behind everything, also behind the checksum.
  var end: [UInt8] = []
  /// Between two sends.
  var pause = Duration.zero

  func whole(_ bytes: [UInt8]) -> [UInt8] { (checksum?.appended(to: bytes) ?? bytes) + end }
}
