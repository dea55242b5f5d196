/// Raw sound, made into the levels of its blocks.
///
/// Channels count like further samples of one. What a read cuts in two is joined with the next.
struct SoundBlocks: Hashable, Sendable {
  let format: Format
  /// Samples of all channels in a block.
  let samplesPerBlock: Int
  private var sum = 0.0
  private var count = 0
  private var rest: [UInt8] = []

  /// Little-endian, as `arecord -f` names them in capitals.
  enum Format: String, Hashable, Sendable, CaseIterable {
    case u8, s16 = "s16_le", s24 = "s24_3le", s32 = "s32_le", float = "float_le"

    var bytes: Int {
      switch self {
      case .u8: 1
      case .s16: 2
      case .s24: 3
      case .s32, .float: 4
      }
    }
  }

  init(_ format: Format, frames: Int, channels: Int) {
    self.format = format
    samplesPerBlock = max(1, frames) * max(1, channels)
  }

  mutating func forget() { self = SoundBlocks(format, samples: samplesPerBlock) }

  private init(_ format: Format, samples: Int) {
    self.format = format
    samplesPerBlock = samples
  }

  /// Appends the mean square of each block that these bytes complete, 0 to 1.
  mutating func receive(_ bytes: [UInt8], into meanSquares: inout [Double]) {
    let size = format.bytes
    var index = 0
    if !rest.isEmpty {
      let missing = min(size - rest.count, bytes.count)
      rest.append(contentsOf: bytes[..<missing])
      index = missing
      guard rest.count == size else { return }
      take(sample(in: rest, at: 0), into: &meanSquares)
      rest.removeAll(keepingCapacity: true)
    }
    while index + size <= bytes.count {
      take(sample(in: bytes, at: index), into: &meanSquares)
      index += size
    }
    rest.append(contentsOf: bytes[index...])
  }

  private mutating func take(_ sample: Double, into meanSquares: inout [Double]) {
    sum += sample * sample
    count += 1
    guard count == samplesPerBlock else { return }
    meanSquares.append(min(sum / Double(count), 1))
    sum = 0
    count = 0
  }

  private func sample(in bytes: [UInt8], at index: Int) -> Double {
    switch format {
    case .u8: return (Double(bytes[index]) - 128) / 128
    case .s16:
      let word = UInt16(bytes[index]) | UInt16(bytes[index + 1]) << 8
      return Double(Int16(bitPattern: word)) / 32768
    case .s24:
      let word = UInt32(bytes[index]) << 8 | UInt32(bytes[index + 1]) << 16 | UInt32(bytes[index + 2]) << 24
      return Double(Int32(bitPattern: word)) / 2_147_483_648
    case .s32: return Double(Int32(bitPattern: word(in: bytes, at: index))) / 2_147_483_648
    case .float:
      let value = Float(bitPattern: word(in: bytes, at: index))
      return value.isFinite ? Double(min(max(value, -1), 1)) : 0
    }
  }

  private func word(in bytes: [UInt8], at index: Int) -> UInt32 {
    UInt32(bytes[index]) | UInt32(bytes[index + 1]) << 8 | UInt32(bytes[index + 2]) << 16
      | UInt32(bytes[index + 3]) << 24
  }
}
