import DeviceModel
import EventLoop
import Foundation
import Simulation
import TestSupport
import Testing

/// The plug's sketch as an UNO runs it under a Wi-Fi shield.
@Suite(.enabled(if: Firmware.areThere("PowerPlug"), Firmware.notThere))
struct PowerPlugFirmwareTests {
  init() { _ = LoopThread.started }

  private static let triac = "D5"

  @Loop private func start(on port: UInt16, in folder: TestSupport.TemporaryDirectory) async throws
    -> FirmwareSimulator
  {
    try await Firmware.start("PowerPlug", ["--paused", "--net=230=\(port)", "--eeprom", folder("eeprom")])
  }

  private func text(_ seconds: Int) -> String {
    Date(timeIntervalSince1970: TimeInterval(seconds)).formatted(.iso8601)
  }

  @Test @Loop func `an activation added over MQTT switches the pin on time, also after a power cut`()
    async throws
  {
    let folder = try TestSupport.TemporaryDirectory()
    let port = FreePort.take()
    var plug = try await start(on: port, in: folder)
    var pin = try await plug.changes(of: Self.triac)
    let now = Int(Date().timeIntervalSince1970)
    let start = now + 12
    try await plug.run(from: now)
    try await FirmwareHouse.with(
      """
      devices:
        - { name: Plug, kind: power_plug, link: { tcp: "127.0.0.1:\(port)", session: polled, poll: 1s } }
      """
    ) { house in
      try await house.message("plug") { $0.state("power") == "OFF" && $0.state("mode") == "automatic" }
      try await house.publish(
        #"{"name":"pump","start":"\#(text(start))","length":10,"period":1440}"#, to: "plug/schedule/put")
      try await house.message("plug") { $0.text.contains(#""next_switch":"\#(text(start))""#) }
      let toldAfter = try await plug.uptime()
      let rise = try await pin.level(true)
      #expect(rise.after > .seconds(11) && rise.after < max(.seconds(12), toldAfter) + .seconds(2))
      try await house.message("plug") { $0.state("power") == "ON" && $0.state("running") == "pump" }

      // A day without power, until shortly before the next cycle.
      var seen = house.seen
      await plug.powerOff()
      try await house.message("plug/availability", from: seen) { $0.text == "offline" }
      seen = house.seen
      plug = try await self.start(on: port, in: folder)
      pin = try await plug.changes(of: Self.triac)
      try await plug.run(from: start + 86400 - 3)
      try await house.message("plug/availability", from: seen) { $0.text == "online" }
      let again = try await pin.level(true)
      #expect(again.after > .seconds(2) && again.after < .seconds(5))
      try await house.message("plug", from: seen) { $0.state("power") == "ON" }
    }
    await plug.powerOff()
  }

  @Test @Loop func `switched over MQTT the pin follows`() async throws {
    let folder = try TestSupport.TemporaryDirectory()
    let port = FreePort.take()
    let plug = try await start(on: port, in: folder)
    try await plug.run(from: Int(Date().timeIntervalSince1970))
    let pin = try await plug.changes(of: Self.triac)
    try await FirmwareHouse.with(
      """
      devices:
        - { name: Plug, kind: power_plug, link: { tcp: "127.0.0.1:\(port)", session: held } }
      """
    ) { house in
      try await house.message("plug/availability") { $0.text == "online" }
      try await house.publish("ON", to: "plug/power/set")
      try await pin.level(true)
      try await house.message("plug") { $0.state("power") == "ON" && $0.state("mode") == "manual" }
      let count = pin.count
      try await house.publish("OFF", to: "plug/power/set")
      try await pin.level(false, from: count)
      try await house.message("plug") { $0.state("power") == "OFF" }
    }
    await plug.powerOff()
  }
}
