import Foundation
import TestSupport
import Testing

@Suite(.enabled(if: Firmware.areThere("GarageDoor", "PetDoor", "PowerPlug", "Rover"), Firmware.notThere))
struct DemoFirmwareTests {
  @Test func `the demo runs the firmware of all its boards, and ends without a trace`() async throws {
    let directory = try TestSupport.TemporaryDirectory()
    // It looks for the firmware below the folder that it is started in.
    let top = Program.packageRoot.path
    let demo = try ChildProcess(
      "/bin/sh", ["-c", "cd '\(top)' && exec '\(Program.sketch2mqtt)' demo --firmware"],
      environment: ["TMPDIR": directory.path, "PATH": "/usr/bin:/bin"])
    for device in ["garage", "garden_plug", "pet_door", "rover"] {
      try await demo.output.first { $0.hasSuffix("\(device) is online") }
    }
    let example = try #require(
      demo.output.all.first { $0.contains("mosquitto_pub") && $0.contains("power/set") })
    try await ChildProcess.run("/bin/sh", ["-c", example])
    try await demo.output.first { $0.contains("garden_plug power ON") }
    demo.send(SIGINT)
    #expect(try await demo.exit() == .code(0))
    #expect(demo.errors.all == [])
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == [])
  }
}
