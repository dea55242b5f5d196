import CJansson
public import DeviceModel

extension JSON {
  /// Reads one JSON value of any type; its objects keep the order of their members.
  ///
  /// - Parameter bytes: UTF-8 without a byte order mark.
  /// - Throws: ``JSONError``; its description is fit for a log and never quotes the text.
  public static func parse(
    _ bytes: some Collection<UInt8>, limits: Limits = Limits()
  ) throws(JSONError) -> Value {
    let result =
      bytes.withContiguousStorageIfAvailable { read($0, limits: limits) }
      ?? Array(bytes).withUnsafeBufferPointer { read($0, limits: limits) }
    return try result.get()
  }

  /// Reads one JSON value of any type from a string.
  public static func parse(_ text: String, limits: Limits = Limits()) throws(JSONError) -> Value {
    try parse(text.utf8, limits: limits)
  }

  private static func read(
    _ bytes: UnsafeBufferPointer<UInt8>, limits: Limits
  ) -> Result<Value, JSONError> {
    Result { () throws(JSONError) in
      guard bytes.count <= limits.size else {
        throw JSONError(.tooLarge(size: bytes.count, limit: limits.size))
      }
      guard let start = bytes.baseAddress, !bytes.isEmpty else { throw JSONError(.endsTooEarly) }
      try checkDepth(of: bytes, limit: limits.depth)

      var error = json_error_t()
      let flags = JSON_REJECT_DUPLICATES | JSON_DECODE_ANY
      guard let root = json_loadb(UnsafeRawPointer(start), bytes.count, Int(flags), &error) else {
        throw JSONError(error)
      }
      defer { json_decref(root) }
      return try value(of: root)
    }
  }

  /// The library's own limit is 2048, which is more than a small thread's stack bears.
  private static func checkDepth(of bytes: UnsafeBufferPointer<UInt8>, limit: Int) throws(JSONError) {
    var depth = 0
    var isInString = false
    var isEscaped = false
    for (index, byte) in bytes.enumerated() {
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInString = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isInString = true
      case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
      default: break
      }
      if depth > limit { throw JSONError(.tooDeep(limit: limit), at: position(of: index, in: bytes)) }
    }
  }

  private static func position(
    of index: Int, in bytes: UnsafeBufferPointer<UInt8>
  ) -> JSONError.Position {
    var position = JSONError.Position(line: 1, column: 1)
    for byte in bytes[..<index] {
      if byte == UInt8(ascii: "\n") {
        position = .init(line: position.line + 1, column: 1)
      } else if byte & 0b1100_0000 != 0b1000_0000 {
        position.column += 1
      }
    }
    return position
  }

  private static func value(of json: UnsafeMutablePointer<json_t>) throws(JSONError) -> Value {
    switch json.pointee.type {
    case JSON_OBJECT: return try object(json)
    case JSON_ARRAY:
      var elements: [Value] = []
      elements.reserveCapacity(json_array_size(json))
      for index in 0..<json_array_size(json) {
        guard let element = json_array_get(json, index) else { break }
        elements.append(try value(of: element))
      }
      return .list(elements)
    case JSON_STRING:
      let bytes = UnsafeBufferPointer(start: json_string_value(json), count: json_string_length(json))
      return .text(text(bytes))
    case JSON_INTEGER: return .integer(Int(json_integer_value(json)))
    case JSON_REAL: return .number(json_real_value(json))
    case JSON_TRUE: return .boolean(true)
    case JSON_FALSE: return .boolean(false)
    default: return .unknown
    }
  }

  private static func object(_ json: UnsafeMutablePointer<json_t>) throws(JSONError) -> Value {
    var pairs: [(String, Value)] = []
    pairs.reserveCapacity(json_object_size(json))
    var iterator = json_object_iter(json)
    while let member = iterator {
      let name = UnsafeBufferPointer(
        start: json_object_iter_key(member), count: json_object_iter_key_len(member))
      if let memberValue = json_object_iter_value(member) {
        pairs.append((text(name), try value(of: memberValue)))
      }
      iterator = json_object_iter_next(json, member)
    }
    let members = Value.Members(pairs)
    // The library compares bytes; é as one character and as e with an accent are one name here.
    guard members.count == pairs.count else { throw JSONError(.duplicateKey) }
    return .object(members)
  }

  private static func text(_ characters: UnsafeBufferPointer<CChar>) -> String {
    characters.withMemoryRebound(to: UInt8.self) { String(decoding: $0, as: UTF8.self) }
  }
}

extension JSONError {
  fileprivate init(_ error: json_error_t) {
    var error = error
    let text = json_error_text(&error).map { String(cString: $0) } ?? ""
    let reason: Reason =
      switch json_error_code_value(&error) {
      case Int32(json_error_invalid_utf8.rawValue): .invalidUTF8
      case Int32(json_error_premature_end_of_input.rawValue): .endsTooEarly
      case Int32(json_error_end_of_input_expected.rawValue): .textAfterValue
      case Int32(json_error_duplicate_key.rawValue): .duplicateKey
      case Int32(json_error_numeric_overflow.rawValue): .numberOutOfRange
      case Int32(json_error_null_character.rawValue), Int32(json_error_null_byte_in_key.rawValue):
        .nulCharacter
      default: .syntax(Self.withoutExcerpt(text))
      }
    self.init(reason, at: Position(line: Int(error.line), column: max(1, Int(error.column))))
  }

  /// The library ends its messages with ` near '…'`, a piece of the text.
  private static func withoutExcerpt(_ message: String) -> String {
    let near = Array(" near ".utf8)
    let bytes = Array(message.utf8)
    let end = bytes.indices.first { bytes[$0...].starts(with: near) } ?? bytes.endIndex
    return String(decoding: bytes[..<end], as: UTF8.self)
  }
}
