import Foundation
import TestSupport
import Testing

/// The broker of `examples/mosquitto`, as pasted: only its port, the places of its files and its user are others.
final class ExampleBroker: Sendable {
  let port = FreePort.take()
  /// Made by `make-users`, by user.
  let passwords: [String: String]
  private let directory: TestSupport.TemporaryDirectory
  private let process: ChildProcess

  static let folder = Program.packageRoot.appending(path: "examples/mosquitto")

  init() async throws {
    directory = try TestSupport.TemporaryDirectory()
    let users = try await Program.run(
      Self.folder.appending(path: "make-users").path, [directory("passwords")])
    try #require(users.status == 0, "\(users.errors)")
    passwords = Dictionary(
      uniqueKeysWithValues: users.output.split(separator: "\n").map { line in
        let words = line.split(separator: " ").map(String.init)
        return (words[0], words[1])
      })
    let acl = try String(contentsOf: Self.folder.appending(path: "acl"), encoding: .utf8)
    try directory.write(acl, to: "acl")
    // As root it would become another user, who cannot read a private folder.
    let settings = try String(contentsOf: Self.folder.appending(path: "mosquitto.conf"), encoding: .utf8)
      .replacing("\nlistener 1883\n", with: "\nuser root\nlistener \(port) 127.0.0.1\nlog_type all\n")
      .replacing("/etc/mosquitto/", with: "\(directory.path)/")
    try #require(settings.contains("listener \(port) 127.0.0.1"))
    process = try ChildProcess(
      "/usr/sbin/mosquitto", ["-c", try directory.write(settings, to: "mosquitto.conf")])
    try await process.errors.first { $0.hasSuffix(" running") }
  }

  /// What its log says was not allowed.
  var denials: [String] { process.errors.all.filter { $0.contains("Denied") } }

  /// Waits until the broker says that it denied a publish to `topic`, which it may say after others have gone on.
  func denial(of topic: String) async throws {
    try await process.errors.first { $0.contains("Denied PUBLISH") && $0.contains("'\(topic)'") }
  }

  func stop() async throws { try await process.terminate() }

  /// A client of one of the users, subscribed and recording.
  func client(
    _ user: String, subscribingTo filters: [String] = ["#"], version5: Bool = true
  ) async throws -> MQTTRecorder {
    try await MQTTRecorder(
      port: port, subscribingTo: filters, version5: version5, username: user, password: passwords[user])
  }
}
