import Foundation
import TestSupport
import Testing

/// `make install` into a folder, and its undoing.
struct InstallTests {
  private let root: TestSupport.TemporaryDirectory

  init() throws { root = try TestSupport.TemporaryDirectory() }

  private func make(_ target: String) async throws {
    let make = try ChildProcess(
      "/usr/bin/make",
      ["-C", Program.packageRoot.path, target, "DESTDIR=\(root.path)", "PREFIX=/usr"],
      environment: ["PATH": "/usr/bin:/bin"])
    #expect(try await make.exit() == .code(0))
  }

  private func files() throws -> Set<String> {
    let enumerator = try #require(FileManager.default.enumerator(atPath: root.path))
    return Set(
      enumerator.compactMap { $0 as? String }.filter {
        var isFolder: ObjCBool = false
        _ = FileManager.default.fileExists(atPath: root($0), isDirectory: &isFolder)
        return !isFolder.boolValue
      })
  }

  @Test func `what is installed is taken back, and the owner's configuration is left alone`() async throws {
    try await make("install")
    let unit = "etc/systemd/system/sketch2mqtt.service"
    #expect(
      try files() == [
        "usr/bin/sketch2mqtt", unit, "usr/lib/sysusers.d/sketch2mqtt.conf", "etc/sketch2mqtt/config.yaml",
      ])
    let text = try String(contentsOfFile: root(unit), encoding: .utf8)
    #expect(text.contains("ExecStart=/usr/bin/sketch2mqtt run --config /etc/sketch2mqtt/config.yaml\n"))

    try "log_level: debug\n".write(
      toFile: root("etc/sketch2mqtt/config.yaml"), atomically: true, encoding: .utf8)
    try await make("install")
    let kept = try String(contentsOfFile: root("etc/sketch2mqtt/config.yaml"), encoding: .utf8)
    #expect(kept == "log_level: debug\n")

    try await make("uninstall")
    #expect(try files() == ["etc/sketch2mqtt/config.yaml"])
  }

  @Test func `systemd finds nothing wrong with the unit`() async throws {
    let unit = try String(
      contentsOf: Program.packageRoot.appending(path: "examples/systemd/sketch2mqtt.service"), encoding: .utf8
    )
    // The program need not be installed for this.
    try unit.replacing("@bindir@/sketch2mqtt", with: "/bin/true").write(
      toFile: root("sketch2mqtt.service"), atomically: true, encoding: .utf8)
    let verify = try ChildProcess("/usr/bin/systemd-analyze", ["verify", root("sketch2mqtt.service")])
    #expect(try await verify.exit() == .code(0))
    #expect(verify.errors.all == [])
  }
}
