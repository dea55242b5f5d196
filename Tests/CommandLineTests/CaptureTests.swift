import Foundation
import TestSupport
import Testing

@testable import sketch2mqtt

/// `capture` beside a bridge that runs, and `replay` of what it wrote.
struct CaptureTests {
  private let directory: TestSupport.TemporaryDirectory

  init() throws { directory = try TestSupport.TemporaryDirectory() }

  private func configure(port: UInt16) throws -> String {
    try directory.write("mqtt: { server: mqtt://127.0.0.1:\(port) }\n", to: "config.yaml")
  }

  @Test func `what a board and its adapter said to each other is written down, and read again`() async throws
  {
    let demo = try ChildProcess(
      Program.sketch2mqtt, ["demo"], environment: ["TMPDIR": directory.path, "PATH": "/usr/bin:/bin"])
    let listen = try await demo.output.first { $0.hasPrefix("  mosquitto_sub ") }
    let port = try #require(listen.firstMatch(of: /-p (\d+)/).flatMap { UInt16($0.1) })
    try await demo.output.first { $0.hasSuffix("pet_door is online") }
    let configuration = try configure(port: port)
    let capture = try ChildProcess(Program.sketch2mqtt, ["capture", "pet_door", "--config", configuration])
    try await capture.output.first { $0.hasPrefix(#"{"link_up":"board""#) }
    let before = demo.output.count
    try await ChildProcess.run(
      "/bin/sh", ["-c", "mosquitto_pub -p \(port) -t sketch2mqtt/pet_door/lock/set -m LOCK"])
    try await demo.output.first(from: before) { $0.contains("pet_door lock LOCKED") }
    #expect(try await capture.terminate() == .code(0))
    #expect(capture.errors.all == [])

    #expect(capture.output.all.first?.hasPrefix(#"{"capture":1,"#) == true)
    let file = try directory.write(capture.output.all.map { "\($0)\n" }.joined(), to: "door.capture")
    let replayed = try await Program.run(Program.sketch2mqtt, ["replay", file])
    #expect(replayed.status == 0 && replayed.errors == "")
    #expect(replayed.output.hasPrefix("pet_door, pet_door, captured "))
    for part in [
      "received on board: ", "command lock set \"LOCK\"", "was sent on board: ", "report lock \"LOCKED\"",
    ] {
      #expect(replayed.output.contains(part), "\(part)")
    }

    let written = directory("written")
    let short = try await Program.run(
      Program.sketch2mqtt,
      ["capture", "pet_door", "--config", configuration, "--seconds", "3", "--output", written])
    #expect(short.status == 0 && short.output == "")
    #expect(try await Program.run(Program.sketch2mqtt, ["replay", written]).status == 0)

    let unknown = try await Program.run(
      Program.sketch2mqtt, ["capture", "pet_dor", "--config", configuration])
    #expect(unknown.status == 1 && unknown.output == "")
    #expect(unknown.errors == "sketch2mqtt: no device 'pet_dor'; did you mean 'pet_door'?\n")
    demo.send(SIGINT)
    #expect(try await demo.exit() == .code(0))
  }

  @Test func `without a bridge or a broker it says so`() async throws {
    let nobody = try await Program.run(
      Program.sketch2mqtt, ["capture", "x", "--config", try configure(port: FreePort.take())])
    #expect(nobody.status == 1 && nobody.errors.hasPrefix("sketch2mqtt: no broker: "))
    let broker = try await Mosquitto()
    let alone = try await Program.run(
      Program.sketch2mqtt, ["capture", "x", "--config", try configure(port: broker.port)])
    #expect(alone.status == 1 && alone.errors == "sketch2mqtt: the bridge does not answer within 5s\n")
    let place = try await Program.run(
      Program.sketch2mqtt,
      ["capture", "x", "--config", try configure(port: broker.port), "--output", directory("no/such")])
    #expect(place.status == 1 && place.errors.hasSuffix("No such file or directory\n"))
  }

  private static let header =
    #"{"capture":1,"version":"0.1.0","device":"door","kind":"pet_door","options":{},"start":"2026-11-30T10:00:00Z"}"#

  @Test(arguments: [
    ("", "this is no capture"), ("{}\n", "this is no capture"), ("x\n", "line 1: not JSON"),
    (header + "\n{}\n", "line 2: no record of a capture"), (header + "\n\n[\n", "line 2: not JSON"),
    (
      header.replacing("pet_door", with: "pet_dor"),
      "there is no kind 'pet_dor' here; did you mean 'pet_door'?"
    ),
    (
      header.replacing(#""options":{}"#, with: #""options":{"slots":1}"#),
      "its options do not fit this version"
    ),
  ])
  func `a file that is none is refused with its line`(text: String, words: String) async throws {
    let file = try directory.write(text, to: "wrong")
    let result = try await Program.run(Program.sketch2mqtt, ["replay", file])
    #expect(result.status == 1 && result.errors.hasPrefix("sketch2mqtt: \(file): \(words)"))
  }

  @Test func `a file by hand runs the adapter with its timers`() async throws {
    let file = try directory.write(
      """
      \(Self.header)
      {"link_up":"board","maximum_packet":20,"t":0}
      {"received":"board","hex":"733a303b743a32312e3530","t":1.5}
      {"refresh":true,"t":60}

      """, to: "door")
    let result = try await Program.run(Program.sketch2mqtt, ["replay", file])
    #expect(result.status == 0)
    #expect(result.output.contains("     1.500  received on board: 733a303b743a32312e3530  's:0;t:21.50'\n"))
    #expect(result.output.contains("            report temperature 21.5\n"))
    #expect(result.output.contains("    31.500  timer silence\n"))
  }
}
