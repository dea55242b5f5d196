import EventLoop
import Simulation
import TestSupport
import Testing

/// The library's watchdog, which the rover and the garage door have.
@Suite(.enabled(if: Firmware.areThere("Watchdog"), Firmware.notThere))
struct WatchdogFirmwareTests {
  init() { #expect(LoopThread.started) }

  @Test @Loop
  func `a board whose loop stands still lets its outputs go and starts anew, as often as it must`()
    async throws
  {
    let simulator = try await Firmware.start("Watchdog", ["--paused"])
    try await simulator.set("D7", true)
    try await simulator.set("D4", true)
    let output = try await simulator.changes(of: "D8")
    let starts = try await simulator.changes(of: "D6")
    try await simulator.ask("run 5000")
    #expect(output.all.map(\.level) == [true])
    try await simulator.set("D7", false)
    try await simulator.ask("run 1000")
    #expect(output.count == 1)
    try await simulator.ask("run 1500")
    #expect(output.all.map(\.level) == [true, false, true])
    #expect(starts.all.count(where: \.level) == 2)
    try await simulator.ask("run 2500")
    #expect(starts.all.count(where: \.level) == 3)
    try await simulator.set("D7", true)
    try await simulator.ask("run 5000")
    #expect(starts.all.count(where: \.level) == 3)
    #expect(try await simulator.level(of: "D8"))
    // Nothing moves: the loop may wait.
    try await simulator.set("D4", false)
    try await simulator.ask("run 100")
    try await simulator.set("D7", false)
    try await simulator.ask("run 5000")
    #expect(starts.all.count(where: \.level) == 3)
    #expect(try await simulator.level(of: "D8"))
    await simulator.powerOff()
  }
}
