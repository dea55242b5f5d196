import DeviceModel

/// A packed record: fields one behind the other, without gaps but those that are declared.
struct BinaryRecord: Sendable, Hashable {
  var fields: [Field]

  enum Field: Sendable, Hashable {
    case number(String, NumberFormat)
    /// Parts of a number, each from its lowest bit.
    case bits([(name: String, range: ClosedRange<Int>)], NumberFormat)
    /// So many bytes of text, shorter when a NUL ends it; nil: the rest of the message.
    case text(String, size: Int?)
    /// ASCII that a NUL ends within so many bytes.
    case terminated(String, size: Int)
    case skip(Int)
    /// The same record again and again, to the end of the message.
    case records(String, BinaryRecord)

    static func == (left: Field, right: Field) -> Bool {
      switch (left, right) {
      case (.number(let name, let format), .number(let other, let otherFormat)):
        name == other && format == otherFormat
      case (.bits(let bits, let format), .bits(let others, let otherFormat)):
        format == otherFormat && bits.elementsEqual(others) { $0.name == $1.name && $0.range == $1.range }
      case (.text(let name, let size), .text(let other, let otherSize)): name == other && size == otherSize
      case (.terminated(let name, let size), .terminated(let other, let otherSize)):
        name == other && size == otherSize
      case (.skip(let count), .skip(let other)): count == other
      case (.records(let name, let record), .records(let other, let otherRecord)):
        name == other && record == otherRecord
      default: false
      }
    }

    func hash(into hasher: inout Hasher) { for name in names { hasher.combine(name) } }

    var names: [String] {
      switch self {
      case .number(let name, _), .text(let name, _), .terminated(let name, _), .records(let name, _): [name]
      case .bits(let bits, _): bits.map(\.name)
      case .skip: []
      }
    }

    /// In bytes; nil when the message decides.
    var size: Int? {
      switch self {
      case .number(_, let format), .bits(_, let format): format.size
      case .text(_, let size): size
      case .terminated(_, let size), .skip(let size): size
      case .records: nil
      }
    }
  }

  var names: [String] { fields.flatMap(\.names) }

  /// The whole record's, in bytes; nil when the message decides.
  var size: Int? {
    fields.reduce(0) { sum, field in sum.flatMap { sum in field.size.map { sum + $0 } } }
  }

  /// All of `bytes` must be used.
  func decode(_ bytes: ArraySlice<UInt8>) throws(MessageError) -> [String: Value] {
    var values: [String: Value] = [:]
    var rest = bytes
    for field in fields {
      let needed = field.size ?? rest.count
      guard rest.count >= needed else {
        let name = field.names.first ?? "what is skipped"
        throw MessageError(
          "\(bytes.count) bytes are too few: \(name) needs \(needed), there are \(rest.count)")
      }
      try Self.decode(field, rest.prefix(needed), into: &values)
      rest = rest.dropFirst(needed)
    }
    guard rest.isEmpty else { throw MessageError("\(rest.count) bytes more than the record has") }
    return values
  }

  private static func decode(
    _ field: Field, _ bytes: ArraySlice<UInt8>, into values: inout [String: Value]
  ) throws(MessageError) {
    switch field {
    case .number(let name, let format): values[name] = .number(format.number(in: bytes))
    case .bits(let parts, let format):
      let number = UInt32(format.number(in: bytes))
      for part in parts {
        let width = UInt32(part.range.count)
        let mask = width >= 32 ? UInt32.max : (1 << width) - 1
        values[part.name] = .integer(Int(number >> UInt32(part.range.lowerBound) & mask))
      }
    case .text(let name, _):
      values[name] = .text(LenientText.string(of: bytes.prefix { $0 != 0 }).trimmed())
    case .terminated(let name, let size):
      guard let end = bytes.firstIndex(of: 0) else {
        throw MessageError("\(name) has no NUL within its \(size) bytes")
      }
      if let wrong = bytes[..<end].firstIndex(where: { $0 >= 0x80 }) {
        throw MessageError(
          "byte \(wrong - bytes.startIndex) of \(name) is \(bytes[wrong]), which is not ASCII")
      }
      values[name] = .text(String(decoding: bytes[..<end], as: UTF8.self))
    case .skip: break
    case .records(let name, let record):
      guard let size = record.size, size > 0, bytes.count.isMultiple(of: size) else {
        throw MessageError("\(bytes.count) bytes are no whole number of records of \(name)")
      }
      var records: [Value] = []
      for start in stride(from: bytes.startIndex, to: bytes.endIndex, by: size) {
        let decoded = try record.decode(bytes[start..<start + size])
        records.append(.object(.init(record.names.compactMap { name in decoded[name].map { (name, $0) } })))
      }
      values[name] = .list(records)
    }
  }
}
