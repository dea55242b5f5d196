/// Orders and news as bytes: a letter, 16 bytes for the service (all 0 for any) and 16 for the characteristic, and
/// what else there is, numbers little-endian.
extension AttributeOrder {
  public var bytes: [UInt8] {
    switch self {
    case .read(let id): return [Letter.read] + id.bytes
    case .write(let id, let value, let number): return [Letter.write] + id.bytes + number.bytes + value
    case .subscribe(let id): return [Letter.subscribe] + id.bytes
    case .forgetServices: return [Letter.forget]
    }
  }

  public init(bytes: [UInt8]) throws(AttributeFrameError) {
    var frame = FrameReader(bytes)
    switch try frame.letter() {
    case Letter.read: self = .read(try frame.id())
    case Letter.write:
      let id = try frame.id()
      let number = try frame.number()
      self = .write(id, try frame.value(), number: number)
    case Letter.subscribe: self = .subscribe(try frame.id())
    case Letter.forget: self = .forgetServices
    case let other: throw .unknownKind(other)
    }
    try frame.end()
  }
}

extension AttributeNews {
  public var bytes: [UInt8] {
    switch self {
    case .value(let id, let value): return [Letter.value] + id.bytes + value
    case .subscribed(let id): return [Letter.subscribed] + id.bytes
    case .written(let number): return [Letter.written] + number.bytes
    case .missing(let id, let operation): return [Letter.missing] + id.bytes + operation.bytes
    case .refused(let id, let operation, let why):
      return [Letter.refused] + id.bytes + operation.bytes + Array(why.utf8)
    }
  }

  public init(bytes: [UInt8]) throws(AttributeFrameError) {
    var frame = FrameReader(bytes)
    switch try frame.letter() {
    case Letter.value:
      let id = try frame.id()
      self = .value(id, try frame.value())
    case Letter.subscribed: self = .subscribed(try frame.id())
    case Letter.written: self = .written(number: try frame.number())
    case Letter.missing:
      let id = try frame.id()
      self = .missing(id, try frame.operation())
    case Letter.refused:
      let id = try frame.id()
      let operation = try frame.operation()
      guard let why = String(validating: try frame.value(), as: UTF8.self) else { throw .notText }
      self = .refused(id, operation, why)
    case let other: throw .unknownKind(other)
    }
    try frame.end()
  }
}

extension AttributeID {
  static let size = 32

  fileprivate var bytes: [UInt8] {
    (service?.bytes ?? Array(repeating: 0, count: 16)) + characteristic.bytes
  }
}

extension AttributeNews.Operation {
  fileprivate var bytes: [UInt8] {
    switch self {
    case .read: [Letter.read]
    case .subscribe: [Letter.subscribe]
    case .write(let number): [Letter.write] + number.bytes
    }
  }
}

extension UInt32 {
  fileprivate var bytes: [UInt8] { [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: self >> $0) } }
}

private enum Letter {
  static let read = UInt8(ascii: "r")
  static let write = UInt8(ascii: "w")
  static let subscribe = UInt8(ascii: "s")
  static let forget = UInt8(ascii: "f")
  static let value = UInt8(ascii: "V")
  static let subscribed = UInt8(ascii: "S")
  static let written = UInt8(ascii: "W")
  static let missing = UInt8(ascii: "M")
  static let refused = UInt8(ascii: "R")
}

private struct FrameReader {
  private var rest: ArraySlice<UInt8>
  private let total: Int

  init(_ bytes: [UInt8]) {
    rest = bytes[...]
    total = bytes.count
  }

  mutating func letter() throws(AttributeFrameError) -> UInt8 {
    guard let letter = rest.popFirst() else { throw .empty }
    return letter
  }

  mutating func id() throws(AttributeFrameError) -> AttributeID {
    let service = try take(16)
    guard let characteristic = BluetoothUUID(bytes: try take(16)) else { throw .empty }
    return AttributeID(
      characteristic, of: service.allSatisfy { $0 == 0 } ? nil : BluetoothUUID(bytes: service))
  }

  mutating func number() throws(AttributeFrameError) -> UInt32 {
    try take(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  mutating func operation() throws(AttributeFrameError) -> AttributeNews.Operation {
    switch try letter() {
    case Letter.read: return .read
    case Letter.subscribe: return .subscribe
    case Letter.write: return .write(number: try number())
    case let other: throw .unknownOperation(other)
    }
  }

  mutating func value() throws(AttributeFrameError) -> [UInt8] {
    guard rest.count <= AttributeOrder.longestValue else { throw .tooLong(rest.count) }
    defer { rest = [] }
    return Array(rest)
  }

  func end() throws(AttributeFrameError) {
    if !rest.isEmpty { throw .trailing(rest.count) }
  }

  private mutating func take(_ count: Int) throws(AttributeFrameError) -> ArraySlice<UInt8> {
    guard rest.count >= count else { throw .truncated(needed: total - rest.count + count, got: total) }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }
}
