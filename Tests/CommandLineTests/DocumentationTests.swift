import DeviceModel
import EventLoop
import Foundation
import Simulation
import TestSupport
import Testing

@testable import Bridge
@testable import sketch2mqtt

/// What is written for people holds.
struct DocumentationTests {
  static let pages = Program.packageRoot.appending(path: "Sources/sketch2mqtt/sketch2mqtt.docc")

  init() { _ = LoopThread.started }

  private func page(_ name: String) throws -> String {
    try String(contentsOf: Self.pages.appending(path: name), encoding: .utf8)
  }

  @Test func `the page of kinds is what the kinds say`() throws {
    let file = Self.pages.appending(path: "Kinds.md")
    if ProcessInfo.processInfo.environment["RENDER_PAGES"] != nil {
      try Data(KindsPage.text.utf8).write(to: file)
    }
    let written = try? String(contentsOf: file, encoding: .utf8)
    #expect(written == KindsPage.text, "`make pages` writes it anew")
  }

  @Test @Loop func `the page of topics names every reason, verb and request`() throws {
    let text = try page("Topics.md")
    for reason in Rejection.Reason.allCases { #expect(text.contains("\n| `\(reason.rawValue)` | ")) }
    for verb in Property.Verb.allCases { #expect(text.contains("/\(verb.rawValue)`")) }
    for request in Bridge.requestNames + Bridge.beaconRequestNames + Bridge.bluetoothRequestNames {
      #expect(text.contains("\n| `\(request)` | "))
    }
    let topics = Topics(base: "sketch2mqtt", bridge: "main")
    for topic in [
      topics.bridgeState, topics.bridgeInfo, topics.bridgeDevices, topics.bridgeHealth, topics.bridgeLog,
      topics.bridgeEvent,
    ] {
      #expect(text.contains("\n| `\(topic)` | "))
    }
  }

  @Test func `the overview lists the exit statuses and the places of the configuration`() throws {
    let text = try page("sketch2mqtt.md")
    for status in [ExitStatus.success, .failure, .usage, .configuration] {
      #expect(text.contains("\n| \(status.rawValue) | "))
    }
    #expect(text.contains(ConfigurationPlace.system))
  }

  @Test func `links lead to files that are there`() async throws {
    for file in ["README.md"] {
      let text = try String(contentsOf: Program.packageRoot.appending(path: file), encoding: .utf8)
      let links = text.matches(of: /\]\(([^)#]+)\)/).map { String($0.1) }.filter { !$0.hasPrefix("https://") }
      #expect(!links.isEmpty)
      for link in links {
        #expect(
          FileManager.default.fileExists(atPath: Program.packageRoot.appending(path: link).path), "\(link)")
      }
    }
    for file in try FileManager.default.contentsOfDirectory(atPath: Self.pages.path)
    where file.hasSuffix(".md") {
      for picture in try page(file).matches(of: /!\[[^\]]+\]\(([\w-]+\.png)\)/) {
        let place = Self.pages.appending(path: "Resources/\(picture.1)").path
        #expect(FileManager.default.fileExists(atPath: place), "\(picture.1)")
      }
      for link in try page(file).matches(of: /<doc:(\w+)>/) {
        #expect(FileManager.default.fileExists(atPath: Self.pages.appending(path: "\(link.1).md").path))
      }
    }
  }
}

/// The README's blocks, run as they stand.
struct ReadmeTests {
  init() { _ = LoopThread.started }

  private static func blocks(_ language: String) throws -> [String] {
    let text = try String(contentsOf: Program.packageRoot.appending(path: "README.md"), encoding: .utf8)
    let parts = text.components(separatedBy: "\n```")
    // Every other part is inside a fence; its first line names the language.
    return stride(from: 1, to: parts.count, by: 2).map { parts[$0] }
      .filter { $0.hasPrefix("\(language)\n") }
      .map { String($0.dropFirst(language.count + 1)) }
  }

  @Test @Loop func `its configuration and its lines work as pasted`() async throws {
    let broker = try await Mosquitto()
    let directory = try TestSupport.TemporaryDirectory()
    var options = PlugSketchOptions.classic
    options.offCommand = .returnsToAutomatic
    let plug = try SimulatedPowerPlug(
      options: options, clock: SimulatedClock(startingAt: .seconds(Int(Date().timeIntervalSince1970))))
    defer { plug.stop() }

    // The addresses are the only thing that is not as pasted.
    let yaml = try #require(try Self.blocks("yaml").first)
    let adapted = yaml.replacing("localhost:1883", with: "127.0.0.1:\(broker.port)")
      .replacing("192.168.1.4:230", with: "127.0.0.1:\(plug.port)")
    #expect(adapted.contains("\(broker.port)") && adapted.contains("\(plug.port)"))
    try directory.write(adapted, to: "config.yaml")
    for client in ["mosquitto_pub", "mosquitto_sub"] {
      try directory.write("-p \(broker.port)\n", to: client)
    }
    let environment = [
      "PATH": "/usr/bin:/bin", "HOME": directory.path, "XDG_CONFIG_HOME": directory.path,
      "STATE_DIRECTORY": directory.path,
    ]
    let bridge = try ChildProcess(
      Program.sketch2mqtt, ["run", "--config", directory("config.yaml")], environment: environment)
    try await bridge.errors.first { $0.hasSuffix("garden_plug is online") }

    let lines = try Self.blocks("sh").flatMap { $0.split(separator: "\n").map(String.init) }
    let listening = try #require(lines.first)
    #expect(lines.count == 9 && listening.hasPrefix("mosquitto_sub "))
    let listener = try ChildProcess("/bin/sh", ["-c", "exec \(listening)"], environment: environment)
    try await listener.output.first { $0 == "sketch2mqtt/bridge/main/state online" }

    func run(_ part: String, then condition: @escaping @Sendable (String) -> Bool) async throws {
      let line = try #require(lines.first { $0.contains(part) })
      let before = listener.output.count
      let result = try await Program.run("/bin/sh", ["-c", line], environment: environment)
      #expect(result.status == 0, "\(line): \(result.errors)")
      try await listener.output.first(from: before, where: condition)
    }
    @Sendable func isState(_ line: String, with parts: String...) -> Bool {
      line.hasPrefix("sketch2mqtt/garden_plug {") && parts.allSatisfy(line.contains)
    }
    try await run("power/set -m ON") { isState($0, with: #""power":"ON""#) }
    try await run("mode/set -m automatic") { isState($0, with: #""mode":"automatic""#) }
    try await run(#"{"power""#) { isState($0, with: #""power":"ON""#, #""mode":"manual""#) }
    try await run("TOGGLE") { isState($0, with: #""power":"OFF""#) }
    try await run("schedule/put") { isState($0, with: #""name":"pump""#) }
    try await run("schedule/delete") { isState($0, with: #""schedule":[]"#) }
    try await run("garden_plug/get") { isState($0) }
    try await run("request/health") {
      $0.hasPrefix(#"sketch2mqtt/bridge/main/response/health {"status":"ok""#)
    }
    #expect(!listener.output.all.contains { $0.contains("command_failed") })
    #expect(try await bridge.terminate() == .code(0))
    try await listener.terminate()
  }

  @Test func `its make commands are those of the Makefile`() throws {
    let commands = try Self.blocks("").flatMap { $0.split(separator: "\n") }.filter { $0.hasPrefix("make ") }
    #expect(commands == ["make demo", "make test"])
    let makefile = try String(contentsOf: Program.packageRoot.appending(path: "Makefile"), encoding: .utf8)
    for command in commands + ["make build"] { #expect(makefile.contains("\n\(command.dropFirst(5)):")) }
    let script = try String(contentsOf: Program.packageRoot.appending(path: ".ci/run"), encoding: .utf8)
    #expect(script.hasSuffix("\nmake test\nexec make proof PROOF=\"--ci --minutes 30\"\n"))
  }
}
