import DeviceModel
import EventLoop
import Foundation
import Simulation
import TestSupport
import Testing

/// The same sketches, spoken to in lines.
@Suite(.enabled(if: Firmware.areThere("PowerPlug", "PetDoor-USB", "Greenhouse"), Firmware.notThere))
struct NewerFormFirmwareTests {
  init() { _ = LoopThread.started }

  @Test @Loop func `the plug takes an activation in lines, and the pin switches on time`() async throws {
    let folder = try TestSupport.TemporaryDirectory()
    let port = FreePort.take()
    let plug = try await Firmware.start(
      "PowerPlug", ["--paused", "--net=230=\(port)", "--eeprom", folder("eeprom")])
    let pin = try await plug.changes(of: "D5")
    let now = Int(Date().timeIntervalSince1970)
    let start = now + 12
    try await plug.run(from: now)
    try await FirmwareHouse.with(
      """
      devices:
        - name: Plug
          kind: power_plug
          link: { tcp: "127.0.0.1:\(port)", session: held }
          options: { form: lines }
      """
    ) { house in
      try await house.message("plug") { $0.state("power") == "OFF" && $0.state("running") == "none" }
      let text = Date(timeIntervalSince1970: TimeInterval(start)).formatted(.iso8601)
      try await house.publish(
        #"{"name":"pump","start":"\#(text)","length":10,"period":1440}"#, to: "plug/schedule/put")
      try await house.message("plug") { $0.text.contains(#""next_switch":"\#(text)""#) }
      let toldAfter = try await plug.uptime()
      let rise = try await pin.level(true)
      #expect(rise.after > .seconds(11) && rise.after < max(.seconds(12), toldAfter) + .seconds(2))
      try await house.message("plug") { $0.state("power") == "ON" && $0.state("running") == "pump" }

      var seen = house.seen
      try await house.publish("pump", to: "plug/schedule/delete")
      try await house.message("plug", from: seen) {
        $0.state("power") == "OFF" && $0.text.contains(#""schedule":[]"#)
      }
      seen = house.seen
      try await house.publish("ON", to: "plug/power/set")
      try await house.message("plug", from: seen) {
        $0.state("mode") == "manual" && $0.state("power") == "ON"
      }
    }
    await plug.powerOff()
  }

  @Test @Loop func `the pet door tells light and takes thresholds in lines, and keeps them`() async throws {
    let folder = try TestSupport.TemporaryDirectory()
    let arguments = ["--uart", "0=pty:\(folder("tty"))", "--eeprom", folder("eeprom")]
    var door = try await Firmware.start("PetDoor-USB", arguments)
    try await door.set(analog: 0, reading: 640)
    try await door.set(analog: 1, reading: 140)
    try await FirmwareHouse.with(
      """
      devices:
        - name: Door
          kind: pet_door
          link: { serial: "\(folder("tty"))" }
          options: { form: lines }
      """
    ) { house in
      try await house.message("door") {
        $0.state("light") == 640 && $0.state("temperature") == 20 && $0.state("light_threshold") == 700
      }
      #expect(try await door.level(of: "D3"))
      try await house.publish("600", to: "door/light_threshold/set")
      try await house.message("door") { $0.state("light_threshold") == 600 }
      let seen = house.seen
      await door.powerOff()
      try await house.message("door/availability", from: seen) { $0.text == "offline" }
      door = try await Firmware.start("PetDoor-USB", arguments)
      try await door.set(analog: 0, reading: 640)
      try await door.set(analog: 1, reading: 140)
      try await house.message("door", from: seen) {
        $0.state("light_threshold") == 600 && $0.state("light") == 640
      }
    }
    await door.powerOff()
  }

  @Test @Loop func `a sketch that describes itself appears, and follows commands`() async throws {
    let board = try await Firmware.start("Greenhouse", ["--uart", "0=pty"])
    let lamp = try await board.changes(of: "D13")
    try await board.set(analog: 0, reading: 155)
    let device = try #require(board.serialDevice)
    try await FirmwareHouse.with(
      """
      devices:
        - { name: Greenhouse, kind: self_describing, link: { serial: "\(device)" } }
      """
    ) { house in
      try await house.message("greenhouse") {
        $0.state("temperature") == 15.5 && $0.state("window") == "ON"
      }
      try await house.publish("20.5", to: "greenhouse/target/set")
      try await house.message("greenhouse") { $0.state("target") == 20.5 }
      try await house.publish("ON", to: "greenhouse/pump/set")
      try await house.message("greenhouse") { $0.state("pump") == "ON" }
      try await lamp.level(true)

      try await house.publish("PRESS", to: "greenhouse/water/set")
      try await house.message("bridge/main/event") { $0.text.contains("the window is open") }
      try await board.set("D2", false)
      try await house.message("greenhouse") { $0.state("window") == "OFF" }
      let discovery = try await house.recorder.messages.first(within: .seconds(60)) {
        $0.topic.hasPrefix("homeassistant/device/") && $0.text.contains("Target temperature")
      }
      #expect(discovery.text.contains("mdi:") || discovery.text.contains("°C"))
    }
    await board.powerOff()
  }
}
