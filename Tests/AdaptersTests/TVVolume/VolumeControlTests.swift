import DeviceModel
import Foundation
import TestSupport
import Testing

@testable import Adapters

struct `The control of a TV's volume` {
  @Test func `decides as its vectors say`() throws {
    for vector in try Vectors.load("tv-volume-control.json") {
      var control = VolumeControl(wanted: Self.number(vector["target"]), silence: -70)
      var keys: [String] = []
      var block = 0
      for case .list(let run) in try #require(vector.list("levels")) {
        for _ in 0..<Int(Self.number(run[1])) {
          block += 1
          if let key = control.take(Self.number(run[0])) { keys.append("\(block) \(key.rawValue)") }
        }
      }
      let expected = try #require(vector.list("keys")).map { $0.briefly }
      #expect(keys == expected, Comment(rawValue: vector.text("why") ?? ""))
    }
  }

  private static func number(_ value: Value?) -> Double {
    switch value {
    case .integer(let integer)?: Double(integer)
    case .number(let number)?: number
    default: .nan
    }
  }

  /// Sound through the whole way: samples, blocks, levels, keys. What is played turns the sound itself.
  private struct Room {
    var blocks = SoundBlocks(.s16, frames: 8192, channels: 1)
    var control = VolumeControl(wanted: -25, silence: -70)
    var limit = KeyLimit(most: 30, interval: .milliseconds(500))
    /// What the TV makes of the sound, in dB; a key changes it by 1.5, and down is played twice.
    var gain = 0.0
    var now = Duration.zero
    var keys: [VolumeControl.Key] = []
    var random = SeededRandom(7)

    /// Noise of this level in dBFS, as long as it takes; above full scale it clips.
    mutating func play(_ level: Double, seconds: Double) {
      for _ in 0..<Int((seconds * 20).rounded()) { playPart(level) }
    }

    /// A twentieth of a second, in which the volume stays as it is.
    private mutating func playPart(_ level: Double) {
      let amplitude = pow(10, (level + gain) / 20)
      let count = 2205
      var bytes: [UInt8] = []
      bytes.reserveCapacity(2 * count)
      for _ in 0..<count {
        // Of a uniform distribution, whose mean square is a third of its peak's.
        let value = Double.random(in: -1...1, using: &random) * amplitude * 3.squareRoot()
        let sample = UInt16(bitPattern: Int16(max(-32768, min(32767, value * 32768))))
        bytes.append(UInt8(sample & 0xFF))
        bytes.append(UInt8(sample >> 8))
      }
      var start = 0
      while start < bytes.count {
        // As a pipe gives it: never in whole blocks, often not in whole samples.
        let size = min(4093, bytes.count - start)
        var squares: [Double] = []
        blocks.receive(Array(bytes[start..<(start + size)]), into: &squares)
        for square in squares {
          now += .milliseconds(186)
          guard let key = control.take(VolumeControl.level(meanSquare: square)) else { continue }
          guard limit.ask(key, at: now) == .press else { continue }
          keys.append(key)
          gain += key == .up ? 1.5 : -3
        }
        start += size
      }
    }
  }

  @Test func `speech with pauses is left alone`() {
    var room = Room()
    for _ in 0..<20 {
      room.play(-25, seconds: 1.2)
      room.play(-55, seconds: 0.4)
      room.play(-24, seconds: 2)
      room.play(-200, seconds: 0.7)
    }
    #expect(room.keys == [])
  }

  @Test func `a loud advertisement is turned down, and up again after it`() {
    var room = Room()
    room.play(-25, seconds: 10)
    #expect(room.keys == [])
    room.play(-13, seconds: 10)
    #expect(!room.keys.isEmpty && room.keys.allSatisfy { $0 == .down })
    #expect((-13 + room.gain) < -25 + 3.5)
    let downs = room.keys.count
    #expect(downs <= 8)
    room.play(-25, seconds: 60)
    #expect(room.keys.dropFirst(downs).allSatisfy { $0 == .up })
    #expect(abs(room.gain) <= 3)
    let settled = room.keys.count
    room.play(-25, seconds: 30)
    #expect(room.keys.count == settled)
  }

  @Test func `silence is never turned up`() {
    var room = Room()
    room.play(-25, seconds: 10)
    room.play(-200, seconds: 60)
    #expect(room.keys == [])
    room.play(-25, seconds: 20)
    #expect(room.keys == [])
  }

  @Test func `clipping sound is full scale, not more`() {
    var room = Room()
    room.play(20, seconds: 1)
    let level = room.control.smoothed ?? .nan
    #expect((-1.0...0).contains(level))
    #expect(room.keys.allSatisfy { $0 == .down })
  }

  @Test func `a TV that does not hear is given up after so many keys`() {
    var limit = KeyLimit(most: 3, interval: .milliseconds(500))
    var now = Duration.zero
    func ask(_ key: VolumeControl.Key) -> KeyLimit.Verdict {
      now += .milliseconds(600)
      return limit.ask(key, at: now)
    }
    #expect(
      [ask(.up), ask(.up), ask(.up), ask(.up), ask(.up)] == [.press, .press, .press, .atLimit, .ignore])
    #expect(ask(.down) == .press)
    limit.reset()
    #expect(limit.ask(.down, at: now) == .wait)
    #expect(ask(.up) == .press)
  }

  @Test(arguments: SoundBlocks.Format.allCases)
  func `every format has the same full scale, however it is cut`(format: SoundBlocks.Format) {
    let half: [UInt8] =
      switch format {
      case .u8: [192]
      case .s16: [0, 0x40]
      case .s24: [0, 0, 0x40]
      case .s32: [0, 0, 0, 0x40]
      case .float: [0, 0, 0, 0x3F]
      }
    let bytes = Array((0..<64).map { _ in half }.joined())
    for size in 1...bytes.count {
      var blocks = SoundBlocks(format, frames: 16, channels: 2)
      var squares: [Double] = []
      for start in stride(from: 0, to: bytes.count, by: size) {
        blocks.receive(Array(bytes[start..<min(start + size, bytes.count)]), into: &squares)
      }
      #expect(squares == [0.25, 0.25])
    }
    #expect(abs(VolumeControl.level(meanSquare: 0.25) + 6.02) < 0.01)
  }

  @Test func `what is no number is silence`() {
    var blocks = SoundBlocks(.float, frames: 2, channels: 1)
    var squares: [Double] = []
    blocks.receive([0, 0, 0xC0, 0x7F, 0, 0, 0x80, 0xFF], into: &squares)
    #expect(squares == [0])
    #expect(VolumeControl.level(meanSquare: 0) == -120)
    #expect(VolumeControl.level(meanSquare: 1) == 0)
  }
}
