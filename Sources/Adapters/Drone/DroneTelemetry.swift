/// One packet of an AR.Drone's telemetry ("navdata"), little-endian.
struct DroneTelemetry: Hashable, Sendable {
  var state: State
  var sequence: UInt32
  /// nil in the packets before the short form was asked for.
  var demo: Demo?

  struct State: OptionSet, Hashable, Sendable {
    let rawValue: UInt32

    static let flying = State(rawValue: 1 << 0)
    /// A configuration was accepted, and waits to be acknowledged.
    static let commandAccepted = State(rawValue: 1 << 6)
    static let bootstrap = State(rawValue: 1 << 11)
    static let batteryLow = State(rawValue: 1 << 15)
    /// Nothing was heard for so long that it obeys nobody until told so.
    static let communicationLost = State(rawValue: 1 << 30)
    static let emergency = State(rawValue: 1 << 31)
  }

  /// The option 0.
  struct Demo: Hashable, Sendable {
    var control: Control
    /// Percent.
    var battery: UInt32
    /// Degrees: nose up, right side down, clockwise from where it was switched on.
    var pitch: Double
    var roll: Double
    var yaw: Double
    /// Metres above ground.
    var altitude: Double
  }

  /// The upper half of the control state.
  enum Control: Hashable, Sendable {
    case landed, takingOff, flying, landing
    /// Starting, testing, or a number that the guide does not list.
    case other(UInt32)

    init(_ number: UInt32) {
      switch number >> 16 {
      case 2: self = .landed
      case 3, 4, 7, 9: self = .flying
      case 6: self = .takingOff
      case 8: self = .landing
      case let other: self = .other(other)
      }
    }
  }

  enum DecodingError: Error, Hashable, Sendable, CustomStringConvertible {
    case truncated(needed: Int, got: Int, at: Int)
    case wrongHeader(UInt32)
    /// An option that is shorter than its own head, or a demo option shorter than its fields.
    case shortOption(tag: UInt16, size: Int, at: Int)
    case wrongChecksum(expected: UInt32, got: UInt32)
    case noChecksum

    var description: String {
      switch self {
      case .truncated(let needed, let got, let place): "\(needed) bytes needed at \(place), \(got) there"
      case .wrongHeader(let header): "header \(header) instead of \(DroneTelemetry.header)"
      case .shortOption(let tag, let size, let place): "option \(tag) at \(place) has only \(size) bytes"
      case .wrongChecksum(let expected, let got): "checksum \(got) instead of \(expected)"
      case .noChecksum: "no checksum at its end"
      }
    }
  }

  static let header: UInt32 = 0x5566_7788
  private static let demoTag: UInt16 = 0
  private static let checksumTag: UInt16 = 0xFFFF

  init(decoding packet: [UInt8]) throws(DecodingError) {
    var reader = LittleEndianReader(packet)
    let header = try reader.uint32()
    guard header == Self.header else { throw .wrongHeader(header) }
    state = State(rawValue: try reader.uint32())
    sequence = try reader.uint32()
    _ = try reader.uint32()
    while true {
      guard !reader.isAtEnd else { throw .noChecksum }
      let start = reader.place
      let tag = try reader.uint16()
      let size = Int(try reader.uint16())
      guard size >= 4 else { throw .shortOption(tag: tag, size: size, at: start) }
      switch tag {
      case Self.checksumTag:
        guard size == 8 else { throw .shortOption(tag: tag, size: size, at: start) }
        let expected = packet[..<start].reduce(0 as UInt32) { $0 &+ UInt32($1) }
        let got = try reader.uint32()
        guard got == expected else { throw .wrongChecksum(expected: expected, got: got) }
        return
      case Self.demoTag:
        guard size >= 28 else { throw .shortOption(tag: tag, size: size, at: start) }
        demo = try Demo(&reader)
        try reader.skip(to: start + size)
      default: try reader.skip(to: start + size)
      }
    }
  }
}

extension DroneTelemetry.Demo {
  fileprivate init(_ reader: inout LittleEndianReader) throws(DroneTelemetry.DecodingError) {
    control = DroneTelemetry.Control(try reader.uint32())
    battery = try reader.uint32()
    pitch = try reader.degrees()
    roll = try reader.degrees()
    yaw = try reader.degrees()
    altitude = Double(Int32(bitPattern: try reader.uint32())) / 1000
  }
}

private struct LittleEndianReader {
  private let bytes: [UInt8]
  private(set) var place = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { place >= bytes.count }

  mutating func uint16() throws(DroneTelemetry.DecodingError) -> UInt16 {
    let taken = try take(2)
    return UInt16(taken[0]) | UInt16(taken[1]) << 8
  }

  mutating func uint32() throws(DroneTelemetry.DecodingError) -> UInt32 {
    try take(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// From milli-degrees; 0 for what is no number.
  mutating func degrees() throws(DroneTelemetry.DecodingError) -> Double {
    let number = Double(Float(bitPattern: try uint32())) / 1000
    return number.isFinite ? number : 0
  }

  mutating func skip(to end: Int) throws(DroneTelemetry.DecodingError) { _ = try take(end - place) }

  private mutating func take(_ count: Int) throws(DroneTelemetry.DecodingError) -> [UInt8] {
    guard bytes.count - place >= count else {
      throw .truncated(needed: count, got: bytes.count - place, at: place)
    }
    defer { place += count }
    return Array(bytes[place..<place + count])
  }
}
