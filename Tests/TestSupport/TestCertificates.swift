/// A certificate authority for tests, made with `openssl`; keys on P-256, valid for two days.
public struct TestCertificates: Sendable {
  private let directory: TemporaryDirectory

  /// Makes the authority and these certificates:
  /// `server` for localhost, 127.0.0.1 and ::1; `elsewhere` for another host; `client`.
  public init() async throws {
    directory = try TemporaryDirectory()
    try await openssl(
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
      "-subj", "/CN=Test authority", "-keyout", key("authority"), "-out", authority)
    try await make("server", alternatives: "DNS:localhost,IP:127.0.0.1,IP:::1")
    try await make("elsewhere", alternatives: "DNS:elsewhere.example")
    try await make("client", alternatives: "DNS:client.example")
  }

  public var authority: String { certificate("authority") }
  public func certificate(_ name: String) -> String { directory("\(name).pem") }
  public func key(_ name: String) -> String { directory("\(name).key") }

  private func make(_ name: String, alternatives: String) async throws {
    let request = directory("\(name).csr")
    let extensions = try directory.write("subjectAltName=\(alternatives)\n", to: "\(name).ext")
    try await openssl(
      "req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
      "-subj", "/CN=\(name)", "-keyout", key(name), "-out", request)
    try await openssl(
      "x509", "-req", "-in", request, "-CA", authority, "-CAkey", key("authority"), "-CAcreateserial",
      "-days", "2", "-extfile", extensions, "-out", certificate(name))
  }

  private func openssl(_ arguments: String...) async throws {
    try await ChildProcess.run("/usr/bin/openssl", arguments)
  }
}
