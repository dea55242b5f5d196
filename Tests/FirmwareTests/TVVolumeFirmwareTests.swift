import DeviceModel
import EventLoop
import JSON
import Simulation
import TestSupport
import Testing

/// The TV's sketch as an UNO runs it, looked at where its infra-red LED is.
@Suite(.enabled(if: Firmware.areThere("TVVolume", "TVVolume-FITTED"), Firmware.notThere))
struct TVVolumeFirmwareTests {
  init() { _ = LoopThread.started }

  private static let address = "C0:DE:00:00:00:04"
  private static let light = "D3"
  private static let receiver = "D4"

  /// Runs a test in a house with the sketch behind a simulated BlueZ.
  @Loop private func withTV(
    running sketch: String = "TVVolume", _ options: String,
    _ body: @Loop (FirmwareHouse, FirmwareSimulator, Inbox<PinChange>) async throws -> Void
  ) async throws {
    let tv = try await Firmware.start(sketch, ["--uart", "0=tcp:0"])
    try await tv.set(Self.receiver, true)
    let light = try await tv.changes(of: Self.light)
    let radio = FirmwareRadio(name: "S2MTV")
    let bus = try await PrivateBus.start()
    let bluez = SimulatedBlueZ(busAddress: bus.address, timing: SimulatedBlueZTiming().faster(by: 4))
    bluez.add(radio, at: Self.address)
    try await bluez.start()
    try await radio.join(tv)
    try await FirmwareHouse.with(
      """
      bluetooth: { bus: "\(bus.address)" }
      devices:
        - { name: TV, kind: tv_volume, link: { ble: "\(Self.address)" }, options: { \(options) } }
      """
    ) { house in try await body(house, tv, light) }
    await tv.powerOff()
    radio.leave()
    bluez.stop()
    await bus.stop()
  }

  /// The codes of `Arduino/TVVolume/Codes.h`: NEC's, to the address 4.
  private static func nec(_ command: Int) -> [Int] {
    let bytes = [0x04, 0xFB, command, ~command & 0xFF]
    let bits = bytes.flatMap { byte in (0..<8).map { byte >> $0 & 1 } }
    return [9000, 4500] + bits.flatMap { [560, $0 == 1 ? 1690 : 560] } + [560]
  }

  private static let up = nec(2)
  private static let down = nec(3)
  private static let mute = nec(9)

  /// Waits for as many codes, expects them and nothing else, and the carrier as it must be.
  @Loop private func expect(
    _ codes: [[Int]], in light: Inbox<PinChange>, hertz: Double = 38_000,
    at location: Testing.SourceLocation = #_sourceLocation
  ) async throws {
    let deadline = ContinuousClock.now + .seconds(60)
    var seen = InfraredLight(light.all)
    while !seen.isWhole(codes), ContinuousClock.now < deadline {
      try await Loop.sleep(for: .milliseconds(20))
      seen = InfraredLight(light.all)
    }
    #expect(seen.codes.count == codes.count, sourceLocation: location)
    for (found, wanted) in zip(seen.codes, codes) {
      #expect(found.count == wanted.count, sourceLocation: location)
      // A period of the carrier and the clock's interrupts; bytes that come in meanwhile take their time too.
      let errors = zip(found, wanted).map { abs($0 - Double($1)) - Double($1) / 100 }
      #expect(errors.allSatisfy { $0 <= 120 }, "\(found)", sourceLocation: location)
      #expect(errors.sorted()[errors.count * 3 / 4] <= 20, "\(found)", sourceLocation: location)
    }
    let period = 16_000_000 / hertz
    #expect(abs(seen.cyclesOfPeriod - period) < period * 0.01, sourceLocation: location)
    #expect((0.25...0.5).contains(seen.shareOfLight), sourceLocation: location)
  }

  @Test @Loop
  func `by its old letters keys become bursts of 38 kHz, and levelling presses no more than it may`()
    async throws
  {
    try await withTV("most_keys: 2, key_interval: 400ms") { house, _, light in
      try await house.message("tv/availability") { $0.text == "online" }
      try await house.publish("PRESS", to: "tv/volume_up/set")
      try await expect([Self.up], in: light)
      try await house.publish("PRESS", to: "tv/volume_down/set")
      try await expect([Self.up, Self.down, Self.down], in: light)

      // Far too loud, more often than keys are allowed.
      try await house.publish(#"{"levelling":"ON","target":-30}"#, to: "tv/set")
      try await house.message("tv") { $0.state("levelling") == "ON" }
      let seen = house.seen
      let feeding = Task { @Loop in
        while !Task.isCancelled {
          try await house.publish("-5", to: "tv/level/set")
          try await Loop.sleep(for: .milliseconds(100))
        }
      }
      try await house.message("tv/event", from: seen) { $0.text.contains("limit_reached") }
      try await expect([Self.up] + Array(repeating: Self.down, count: 6), in: light)
      // What comes after is the word of somebody who presses by hand.
      feeding.cancel()
      try await house.publish("OFF", to: "tv/levelling/set")
      try await house.publish("PRESS", to: "tv/volume_up/set")
      try await expect([Self.up] + Array(repeating: Self.down, count: 6) + [Self.up], in: light)
    }
  }

  @Test @Loop func `in lines it plays what it has learnt, and whatever it is sent`() async throws {
    try await withTV("form: lines") { house, _, light in
      try await house.message("tv") { $0.text.contains(#""code":"#) }
      try await house.publish("mute", to: "tv/code/set")
      try await house.message("tv") { $0.state("code") == "mute" }
      try await expect([Self.mute], in: light)
      try await house.publish("PRESS", to: "tv/volume_up/set")
      try await expect([Self.mute, Self.up], in: light)

      // As Home Assistant sends NEC with a repeat.
      let repeated = Self.nec(0x10) + [41000, 9000, 2250, 562]
      try await house.publish(Self.payload(repeated, 38_000), to: "tv/infrared/set")
      try await expect([Self.mute, Self.up, repeated], in: light)
      let seen = house.seen
      try await house.publish(#"{"timings":[562,-562,49]}"#, to: "tv/infrared/set")
      try await house.message("bridge/main/event", from: seen) { $0.text.contains("out_of_range") }
      try await house.publish("PRESS", to: "tv/volume_down/set")
      try await expect([Self.mute, Self.up, repeated, Self.down, Self.down], in: light)
    }
  }

  @Test(arguments: [30_000, 36_000, 40_000, 56_000]) @Loop
  func `other carriers, and an air conditioner's long code`(hertz: Int) async throws {
    try await withTV("form: lines") { house, _, light in
      try await house.message("tv") { $0.text.contains(#""code":"#) }
      let long =
        [3368, 1684] + (0..<436).map { $0.isMultiple(of: 2) ? 421 : $0 % 3 == 0 ? 1263 : 421 } + [421]
      try await house.publish(Self.payload(long, hertz), to: "tv/infrared/set")
      try await expect([long], in: light, hertz: Double(hertz))
    }
  }

  @Test @Loop func `with a receiver it tells a remote control's code, and does not hear itself`() async throws
  {
    try await withTV(running: "TVVolume-FITTED", "form: lines") { house, tv, light in
      try await house.message("tv") { $0.text.contains(#""code":"#) }
      try await house.publish("power", to: "tv/code/set")
      try await house.message("tv") { $0.state("code") == "power" }
      try await expect([Self.nec(8)], in: light)
      for _ in 0..<2 {
        // The one before must have been told.
        let told = try await tv.uptime() + .seconds(1)
        while try await tv.uptime() < told { try await Loop.sleep(for: .milliseconds(50)) }
        let seen = house.seen
        // The module's output is low while there is light.
        let steps = Self.mute.enumerated().map { "\($0.offset % 2):\($0.element)" }.joined(separator: " ")
        try await tv.ask("wave \(Self.receiver) \(steps) 1:100")
        let message = try await house.message("tv/infrared_received", from: seen)
        guard case .object(let told) = try JSON.parse(message.payload),
          case .list(let timings)? = told["timings"]
        else {
          Issue.record("\(message.text)")
          return
        }
        #expect(timings.count == Self.mute.count)
        for (place, (timing, wanted)) in zip(timings, Self.mute).enumerated() {
          guard case .integer(let signed) = timing else { continue }
          #expect(abs(signed * (place.isMultiple(of: 2) ? 1 : -1) - wanted) <= 150)
        }
      }
      #expect(InfraredLight(light.all).codes.count == 1)
    }
  }

  private static func payload(_ timings: [Int], _ hertz: Int) -> String {
    let signed = timings.enumerated().map { $0.offset.isMultiple(of: 2) ? "\($0.element)" : "-\($0.element)" }
    return #"{"timings":[\#(signed.joined(separator: ","))],"modulation":\#(hertz),"repeat_count":1}"#
  }
}

/// What an infra-red LED's pin did, as a receiver sees it: bursts of the carrier, and the darkness between them.
private struct InfraredLight {
  /// As many codes and timings as these, and the last timing is not still growing.
  func isWhole(_ wanted: [[Int]]) -> Bool {
    guard codes.count == wanted.count, let last = codes.last, let end = wanted.last, last.count == end.count,
      let length = last.last, let wantedLength = end.last
    else { return false }
    return length > Double(wantedLength) - 40
  }

  /// Light and darkness in turn, microseconds; darkness of 30 ms at least parts two codes, unless it is one within.
  private(set) var codes: [[Double]] = []
  private(set) var cyclesOfPeriod = 0.0
  private(set) var shareOfLight = 0.0

  /// More than a period, less than any darkness within a code.
  private static let burstGap = 100.0
  /// Longer than the board's own pause is no darkness of these tests' codes.
  private static let codeGap = 30_000.0

  init(_ changes: [PinChange]) {
    let times = changes.map {
      ($0.level, Double($0.after.components.attoseconds) / 1e12 + Double($0.after.components.seconds) * 1e6)
    }
    var bursts: [(start: Double, end: Double)] = []
    var periods: [Double] = []
    var shares: [Double] = []
    var rise: Double?
    for (level, time) in times {
      if level {
        if let rise, time - rise < Self.burstGap {
          periods.append(time - rise)
        } else {
          bursts.append((time, time))
        }
        rise = time
      } else if let rise, !bursts.isEmpty {
        bursts[bursts.count - 1].end = time
        shares.append(time - rise)
      }
    }
    guard !periods.isEmpty else { return }
    periods.sort()
    shares.sort()
    let period = periods[periods.count / 2]
    cyclesOfPeriod = period * 16
    shareOfLight = shares[shares.count / 2] / period
    // The last period of a burst is whole, its darkness too.
    for (place, burst) in bursts.enumerated() {
      let length = burst.end - burst.start + period * (1 - shareOfLight)
      let darkness =
        place == 0 ? .infinity : burst.start - (bursts[place - 1].end + period * (1 - shareOfLight))
      if darkness < Self.codeGap || abs(darkness - 41_000) < 500 {
        codes[codes.count - 1] += [darkness, length]
      } else {
        codes.append([length])
      }
    }
  }
}
