/// Whom to trust, and how to prove who we are.
public struct TLSSettings: Equatable, Sendable {
  /// A file of PEM certificates or a directory in OpenSSL's hashed form; without either the system's own.
  public var authorityFile: String?
  public var authorityDirectory: String?
  /// PEM files of a client certificate and its unencrypted key; both or neither.
  public var certificateFile: String?
  public var keyFile: String?
  /// Believes any server. Only for a test bench.
  public var isInsecure = false

  public init(
    authorityFile: String? = nil, authorityDirectory: String? = nil, certificateFile: String? = nil,
    keyFile: String? = nil, isInsecure: Bool = false
  ) {
    self.authorityFile = authorityFile
    self.authorityDirectory = authorityDirectory
    self.certificateFile = certificateFile
    self.keyFile = keyFile
    self.isInsecure = isInsecure
  }
}
