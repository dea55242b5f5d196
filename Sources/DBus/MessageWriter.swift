import CDBus

/// Values into a message. What libdbus would end the process for is checked before.
struct MessageWriter {
  private var iterator = DBusMessageIter()

  static func append(_ values: [DBusValue], to message: OpaquePointer) throws(DBusEncodingError) {
    try checkSignature(values.map(\.signature).joined())
    for value in values { try check(value, depth: 0) }
    var writer = MessageWriter()
    dbus_message_iter_init_append(message, &writer.iterator)
    for value in values { writer.append(value) }
  }

  /// Containers in each other, entries of dictionaries counted (D-Bus Specification, "Valid Signatures": 32 arrays,
  /// 32 structures, and 64 of any kind).
  private static let mostDepth = 64

  /// - Parameter depth: How many containers the value is in.
  private static func check(_ value: DBusValue, depth: Int) throws(DBusEncodingError) {
    guard depth <= mostDepth else { throw .nestedTooDeeply }
    switch value {
    case .string(let text): if text.utf8.contains(0) { throw .stringContainsNUL }
    case .signature(let text): try checkSignature(text)
    case .descriptor(let owned): if owned.descriptor < 0 { throw .closedDescriptor }
    case .array(let element, let values):
      try checkType("a" + element)
      // libdbus does not look into arrays of numbers.
      let isOfNumbers = ["y", "b", "n", "q", "i", "u", "x", "t", "d", "h"].contains(element)
      for value in values { try check(value, is: element, depth: isOfNumbers ? depth : depth + 1) }
    case .properties(let properties):
      for (key, value) in properties {
        try check(.string(key), depth: depth + 2)
        try check(.variant(value), depth: depth + 2)
      }
    case .dictionary(let key, let value, let entries):
      try checkType("a{" + key + value + "}")
      for entry in entries {
        try check(entry.key, is: key, depth: depth + 2)
        try check(entry.value, is: value, depth: depth + 2)
      }
    case .structure(let fields):
      if fields.isEmpty { throw .invalidSignature("()") }
      for field in fields { try check(field, depth: depth + 1) }
    case .variant(let content):
      try checkType(content.signature)
      try check(content, depth: depth + 1)
    default: break
    }
  }

  private static func check(
    _ value: DBusValue, is signature: String, depth: Int
  ) throws(DBusEncodingError) {
    guard value.signature == signature else {
      throw .elementType(expected: signature, found: value.signature)
    }
    try check(value, depth: depth)
  }

  /// One complete type.
  private static func checkType(_ text: String) throws(DBusEncodingError) {
    if text.utf8.contains(0) || dbus_signature_validate_single(text, nil) == 0 {
      throw .invalidSignature(text)
    }
  }

  /// Any number of types.
  private static func checkSignature(_ text: String) throws(DBusEncodingError) {
    if text.utf8.contains(0) || dbus_signature_validate(text, nil) == 0 { throw .invalidSignature(text) }
  }

  private mutating func append(_ value: DBusValue) {
    switch value {
    case .byte(let value): appendBasic(dbusTypeByte, value)
    case .boolean(let value): appendBasic(dbusTypeBoolean, dbus_bool_t(value ? 1 : 0))
    case .int16(let value): appendBasic(dbusTypeInt16, value)
    case .uint16(let value): appendBasic(dbusTypeUInt16, value)
    case .int32(let value): appendBasic(dbusTypeInt32, value)
    case .uint32(let value): appendBasic(dbusTypeUInt32, value)
    case .int64(let value): appendBasic(dbusTypeInt64, value)
    case .uint64(let value): appendBasic(dbusTypeUInt64, value)
    case .double(let value): appendBasic(dbusTypeDouble, value)
    case .string(let text): appendText(dbusTypeString, text)
    case .objectPath(let path): appendText(dbusTypeObjectPath, path.text)
    case .signature(let text): appendText(dbusTypeSignature, text)
    case .descriptor(let owned): appendBasic(dbusTypeDescriptor, owned.descriptor)
    case .bytes(let bytes): append(bytes)
    case .array(let element, let values):
      within(dbusTypeArray, element) { writer in
        for value in values { writer.append(value) }
      }
    case .properties(let properties):
      within(dbusTypeArray, "{sv}") { writer in
        for (key, value) in properties.sorted(by: { $0.key < $1.key }) {
          writer.append(DBusValue.Entry(.string(key), .variant(value)))
        }
      }
    case .dictionary(let key, let value, let entries):
      within(dbusTypeArray, "{" + key + value + "}") { writer in
        for entry in entries { writer.append(entry) }
      }
    case .structure(let fields):
      within(dbusTypeStructure, nil) { writer in
        for field in fields { writer.append(field) }
      }
    case .variant(let content):
      within(dbusTypeVariant, content.signature) { writer in writer.append(content) }
    }
  }

  private mutating func append(_ entry: DBusValue.Entry) {
    within(dbusTypeDictionaryEntry, nil) { writer in
      writer.append(entry.key)
      writer.append(entry.value)
    }
  }

  private mutating func append(_ bytes: [UInt8]) {
    within(dbusTypeArray, "y") { writer in
      bytes.withUnsafeBufferPointer { buffer in
        var start = buffer.baseAddress
        _ = dbus_message_iter_append_fixed_array(&writer.iterator, dbusTypeByte, &start, Int32(buffer.count))
      }
    }
  }

  private mutating func appendBasic<T: BitwiseCopyable>(_ type: Int32, _ value: T) {
    var value = value
    _ = dbus_message_iter_append_basic(&iterator, type, &value)
  }

  private mutating func appendText(_ type: Int32, _ text: String) {
    text.withCString { characters in
      var start: UnsafePointer<CChar>? = characters
      _ = dbus_message_iter_append_basic(&iterator, type, &start)
    }
  }

  private mutating func within(_ type: Int32, _ signature: String?, body: (inout MessageWriter) -> Void) {
    var inner = MessageWriter()
    _ = dbus_message_iter_open_container(&iterator, type, signature, &inner.iterator)
    body(&inner)
    _ = dbus_message_iter_close_container(&iterator, &inner.iterator)
  }
}
