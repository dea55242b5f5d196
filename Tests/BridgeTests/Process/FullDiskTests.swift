import Foundation
import Glibc
import TestSupport
import Testing

/// The disk that the bridge keeps its memory on.
struct FullDiskTests {
  @Test(arguments: ["full", "not writable"])
  func `what a disk did not take is written when it does`(fault: String) async throws {
    try await withHouse { house in
      let folder = house.memory + "/sketch2mqtt"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let temporary = house.stateFile + ".new"
      if fault == "full" { symlink("/dev/full", temporary) } else { mkdir(temporary, 0o700) }
      try await house.startAndSettle()
      let warning = try await house.bridge.errors.first(within: .patience) { $0.contains("cannot write") }
      #expect(warning.contains(fault == "full" ? "No space left" : "Is a directory"))
      // What plays the full disk is taken away by the bridge itself, as the file that it could not finish.
      if fault == "not writable" {
        #expect(!FileManager.default.fileExists(atPath: house.stateFile))
        rmdir(temporary)
      }
      #expect(await eventually { FileManager.default.fileExists(atPath: house.stateFile) })
      let text = try String(contentsOfFile: house.stateFile, encoding: .utf8)
      #expect(text.contains("\"sketch2mqtt/plug/availability\""))
    }
  }
}
