import DeviceModel
import Foundation
import TestSupport
import Testing

@testable import Adapters

/// The rule for the volume once more, straight from its description, to be compared with.
private struct PlainRule {
  let wanted: Double
  private var level: Double?
  private var quiet = 0

  init(wanted: Double) { self.wanted = wanted }

  mutating func next(_ block: Double) -> String {
    let y = level.map { $0 + 0.2 * (block - $0) } ?? block
    level = y
    if y - wanted > 3 {
      quiet = 0
      return "D"
    }
    quiet = wanted - y > 2 ? quiet + 1 : 0
    if quiet > 10 {
      quiet = 0
      return "I"
    }
    return "-"
  }
}

struct `Sound as a TV's volume leveller hears it` {
  @Test(arguments: 0..<40) func `is levelled block for block as the rule says`(seed: UInt64) {
    var random = SeededRandom(seed)
    let wanted = Double.random(in: -50...0, using: &random)
    var plain = PlainRule(wanted: wanted)
    var control = VolumeControl(wanted: wanted, silence: -119)
    var level = wanted
    var (ruled, controlled) = ("", "")
    for _ in 0..<3000 {
      // Speech that swings, now and then another programme.
      if Int.random(in: 0..<60, using: &random) == 0 { level = .random(in: -70...0, using: &random) }
      let block = min(0, max(-118, level + .random(in: -6...6, using: &random)))
      ruled += plain.next(block)
      switch control.take(block) {
      case .down: controlled += "D"
      case .up: controlled += "I"
      case nil: controlled += "-"
      }
    }
    #expect(controlled == ruled)
    #expect(Set(ruled).count > 1)
  }

  /// A tone of this share of full scale, in all channels, as `arecord` would print it.
  private static func tone(
    _ amplitude: Double, _ format: SoundBlocks.Format, rate: Int, channels: Int, frames: Int
  )
    -> [UInt8]
  {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(frames * channels * format.bytes)
    for frame in 0..<frames {
      let value = amplitude * sin(2 * .pi * 997 * Double(frame) / Double(rate))
      for channel in 0..<channels {
        let sample = channel.isMultiple(of: 2) ? value : -value
        switch format {
        case .u8: bytes.append(UInt8((sample * 127.5 + 128).rounded(.down)))
        case .s16: append(Int64((sample * 32767).rounded()), 2, to: &bytes)
        case .s24: append(Int64((sample * 8_388_607).rounded()), 3, to: &bytes)
        case .s32: append(Int64((sample * 2_147_483_647).rounded()), 4, to: &bytes)
        case .float: append(Int64(Float(sample).bitPattern), 4, to: &bytes)
        }
      }
    }
    return bytes
  }

  private static func append(_ number: Int64, _ count: Int, to bytes: inout [UInt8]) {
    for place in 0..<count { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * Int64(place)))) }
  }

  @Test(
    arguments: SoundBlocks.Format.allCases, [(8000, 1), (16_000, 2), (44_100, 1), (48_000, 2), (96_000, 8)])
  func `of any format, rate and number of channels has the level of its samples`(
    format: SoundBlocks.Format, sound: (rate: Int, channels: Int)
  ) {
    var random = SeededRandom(UInt64(sound.rate))
    for amplitude in [1, 0.5, 0.1] {
      let frames = 8192 * 3 + 100
      let bytes = Self.tone(
        amplitude, format, rate: sound.rate, channels: sound.channels, frames: frames)
      var blocks = SoundBlocks(format, frames: 8192, channels: sound.channels)
      var squares: [Double] = []
      var start = 0
      while start < bytes.count {
        let size = min(Int.random(in: 1...4097, using: &random), bytes.count - start)
        blocks.receive(Array(bytes[start..<start + size]), into: &squares)
        start += size
      }
      #expect(squares.count == 3)
      // The mean square of a sine is half of its peak's.
      let expected = 10 * log10(amplitude * amplitude / 2)
      for square in squares {
        let margin = format == .u8 ? 0.3 : 0.02
        #expect(abs(VolumeControl.level(meanSquare: square) - expected) < margin)
      }
    }
  }

  @Test func `that stops in the middle of a sample is not joined with what a new microphone says`() {
    var talk = Conversation(TVVolume())
    _ = talk.connect()
    _ = talk.feed(.linkUp(.microphone, maximumPacket: nil))
    _ = talk.feed(.received(.microphone, [UInt8](repeating: 0x7F, count: 2 * 8191 + 1)))
    _ = talk.feed(.linkDown(.microphone, "it died"))
    _ = talk.feed(.linkUp(.microphone, maximumPacket: nil))
    let quiet: [UInt8] = Array((0..<8192).map { _ in [0x00, 0x04] as [UInt8] }.joined())
    _ = talk.feed(.received(.microphone, quiet))
    #expect(talk.state["level"] == -30.1)
  }

  @Test(arguments: [(30, -5.0, "D"), (30, -45, "I"), (1, -5, "D"), (100, -45, "I")])
  func `that keys do not change is given up after so many of them, and told once`(
    most: Int, level: Double, key: String
  ) {
    var settings = TVVolumeSettings()
    settings.mostKeys = most
    var talk = Conversation(TVVolume(settings))
    _ = talk.connect()
    _ = talk.command(1, Command("levelling", true))
    var keys = ""
    var events = 0
    for number in 0..<4000 {
      _ = talk.pass(.milliseconds(186))
      let outputs = talk.command(UInt64(number + 2), Command("level", .number(level)))
      for case .send(let send) in outputs {
        keys += String(decoding: send.bytes, as: UTF8.self)
        _ = talk.feed(.sent(send.number ?? 0))
      }
      events += outputs.count { if case .event("limit_reached", _) = $0 { true } else { false } }
    }
    #expect(keys == String(repeating: key, count: most))
    #expect(events == 1)
  }

  @Test func `that asks for keys which do not leave says nothing of the TV`() {
    var settings = TVVolumeSettings()
    settings.mostKeys = 3
    var talk = Conversation(TVVolume(settings))
    _ = talk.connect()
    _ = talk.command(1, Command("levelling", true))
    func ask(_ number: Int, leaves: Bool) -> (keys: Int, events: Int) {
      _ = talk.pass(.milliseconds(600))
      let outputs = talk.command(UInt64(number), Command("level", -5.0))
      for case .send(let send) in outputs {
        _ = talk.feed(leaves ? .sent(send.number ?? 0) : .notSent(send.number ?? 0, "no"))
      }
      return (outputs.sent.count, outputs.count { if case .event = $0 { true } else { false } })
    }
    for number in 2..<20 { #expect(ask(number, leaves: false) == (1, 0)) }
    for number in 20..<22 { #expect(ask(number, leaves: true) == (1, 0)) }
    // One of which nobody knows whether it was played counts.
    _ = talk.pass(.milliseconds(600))
    for case .send(let send) in talk.command(22, Command("level", -5.0)) {
      _ = talk.feed(.notSent(send.number ?? 0, "unlikely error", mayHaveArrived: true))
    }
    #expect(ask(23, leaves: true) == (0, 1))
    #expect(ask(24, leaves: true) == (0, 0))
  }

  @Test func `as levels is taken and shown while the board is away, and nothing is played later for it`() {
    var talk = Conversation(TVVolume())
    _ = talk.connect()
    _ = talk.command(1, Command("levelling", true))
    talk.disconnect()
    for number in 2..<40 {
      _ = talk.pass(.milliseconds(600))
      let outputs = talk.command(UInt64(number), Command("level", -5.0))
      #expect(outputs.reasons == [] && outputs.sent == [])
    }
    #expect(talk.state["level"] == -5.0)
    #expect(talk.connect().sent == [])
    #expect(talk.command(99, Command("level", -5.0)).sent == [Array("D".utf8)])
    talk.disconnect()
    #expect(talk.command(100, Command("level", -5.0), Command("target", -30.0)).reasons == [.away])
    #expect(TVVolume().description["level"]?.needsNoLink == true)
  }
}
