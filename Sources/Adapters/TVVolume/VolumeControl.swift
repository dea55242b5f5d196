import Glibc

/// When a louder or quieter TV is to be wished for: a pure function over the levels of blocks of sound.
///
/// Down is wished for at once, up only after a while, so that a pause in speech does not pump the volume up. Silence is
/// no quiet: a TV that is off or muted is never turned up.
struct VolumeControl: Hashable, Sendable {
  /// dBFS.
  var wanted: Double
  /// Below it, in dBFS, a block is silent.
  let silence: Double
  /// The level that decides, dBFS; nil before the first sound.
  private(set) var smoothed: Double?
  private var quietBlocks = 0
  private var silentBlocks = 0

  enum Key: String, Hashable, Sendable, CaseIterable { case up, down }

  /// What stands for the logarithm of nothing, in dBFS.
  static let floor = -120.0
  /// In dB above and below ``wanted``.
  static let tooLoud = 3.0
  static let tooQuiet = 2.0
  /// Up is wished for when more than so many blocks in a row were too quiet.
  static let patience = 10
  static let weight = 0.2

  init(wanted: Double, silence: Double) {
    self.wanted = wanted
    self.silence = silence
  }

  /// The level of a block: 10·log10 of the mean of its squared samples, whose full scale is 1.
  static func level(meanSquare: Double) -> Double {
    guard meanSquare > 0 else { return floor }
    return min(max(10 * log10(meanSquare), floor), 0)
  }

  /// Nothing has sounded for a while.
  var isSilent: Bool { silentBlocks > Self.patience }

  /// Takes the level of the next block, in dBFS.
  mutating func take(_ level: Double) -> Key? {
    guard level > silence else {
      // In a gap between two words the level and the count stay what they were; after a longer one both begin anew.
      silentBlocks += 1
      if isSilent {
        smoothed = nil
        quietBlocks = 0
      }
      return nil
    }
    silentBlocks = 0
    let smoothed = self.smoothed.map { $0 + Self.weight * (level - $0) } ?? level
    self.smoothed = smoothed
    if smoothed > wanted + Self.tooLoud {
      quietBlocks = 0
      return .down
    }
    guard smoothed < wanted - Self.tooQuiet else {
      quietBlocks = 0
      return nil
    }
    quietBlocks += 1
    guard quietBlocks > Self.patience else { return nil }
    quietBlocks = 0
    return .up
  }

  /// Whether the level is neither too loud nor too quiet.
  var isContent: Bool {
    guard let smoothed else { return false }
    return smoothed <= wanted + Self.tooLoud && smoothed >= wanted - Self.tooQuiet
  }

  mutating func forget() { self = VolumeControl(wanted: wanted, silence: silence) }
}
