import CDBus

/// A message's values. libdbus has checked the bytes: lengths, UTF-8, paths, and at most 64 containers in each
/// other.
struct MessageReader {
  private var iterator = DBusMessageIter()

  static func values(of message: OpaquePointer) -> [DBusValue] {
    var reader = MessageReader()
    guard dbus_message_iter_init(message, &reader.iterator) != 0 else { return [] }
    return reader.remainingValues()
  }

  private var type: Int32 {
    mutating get { dbus_message_iter_get_arg_type(&iterator) }
  }

  private mutating func remainingValues() -> [DBusValue] {
    var values: [DBusValue] = []
    while type != dbusTypeInvalid {
      if let value = value() { values.append(value) }
      dbus_message_iter_next(&iterator)
    }
    return values
  }

  private mutating func inner() -> MessageReader {
    var reader = MessageReader()
    dbus_message_iter_recurse(&iterator, &reader.iterator)
    return reader
  }

  /// The value at the iterator; nil only for a descriptor when the process has none left for its copy.
  private mutating func value() -> DBusValue? {
    switch type {
    case dbusTypeByte: .byte(basic(0))
    case dbusTypeBoolean: .boolean(basic(dbus_bool_t(0)) != 0)
    case dbusTypeInt16: .int16(basic(0))
    case dbusTypeUInt16: .uint16(basic(0))
    case dbusTypeInt32: .int32(basic(0))
    case dbusTypeUInt32: .uint32(basic(0))
    case dbusTypeInt64: .int64(basic(0))
    case dbusTypeUInt64: .uint64(basic(0))
    case dbusTypeDouble: .double(basic(0))
    case dbusTypeString: .string(text())
    case dbusTypeObjectPath: .objectPath(ObjectPath(unchecked: text()))
    case dbusTypeSignature: .signature(text())
    case dbusTypeDescriptor: descriptor()
    case dbusTypeVariant: variantContent().map { .variant($0) }
    case dbusTypeStructure: structure()
    case dbusTypeArray: array()
    default: nil
    }
  }

  private mutating func basic<T: BitwiseCopyable>(_ initial: T) -> T {
    var value = initial
    dbus_message_iter_get_basic(&iterator, &value)
    return value
  }

  private mutating func text() -> String {
    var start: UnsafePointer<CChar>?
    dbus_message_iter_get_basic(&iterator, &start)
    return start.map { String(cString: $0) } ?? ""
  }

  private mutating func descriptor() -> DBusValue? {
    let copy = basic(Int32(-1))
    return copy < 0 ? nil : .descriptor(OwnedDescriptor(copy))
  }

  private mutating func variantContent() -> DBusValue? {
    var content = inner()
    return content.value()
  }

  private mutating func structure() -> DBusValue {
    var fields = inner()
    return .structure(fields.remainingValues())
  }

  private mutating func array() -> DBusValue {
    var elements = inner()
    switch dbus_message_iter_get_element_type(&iterator) {
    case dbusTypeByte: return .bytes(elements.bytes())
    case dbusTypeDictionaryEntry: return dictionary(elements)
    default: return .array(of: elements.signature(), elements.remainingValues())
    }
  }

  private mutating func bytes() -> [UInt8] {
    var start: UnsafePointer<UInt8>?
    var count: Int32 = 0
    dbus_message_iter_get_fixed_array(&iterator, &start, &count)
    return Array(UnsafeBufferPointer(start: start, count: Int(count)))
  }

  private mutating func dictionary(_ elements: consuming MessageReader) -> DBusValue {
    let types = signature().dropFirst(2).dropLast()  // between "a{" and "}"
    let key = String(types.prefix(1))
    let value = String(types.dropFirst())
    if key == "s" && value == "v" { return .properties(elements.properties()) }
    var entries: [DBusValue.Entry] = []
    while elements.type != dbusTypeInvalid {
      var entry = elements.inner()
      let key = entry.value()
      dbus_message_iter_next(&entry.iterator)
      if let key, let value = entry.value() { entries.append(DBusValue.Entry(key, value)) }
      dbus_message_iter_next(&elements.iterator)
    }
    return .dictionary(key: key, value: value, entries)
  }

  private mutating func properties() -> [String: DBusValue] {
    var properties: [String: DBusValue] = [:]
    while type != dbusTypeInvalid {
      var entry = inner()
      let key = entry.text()
      dbus_message_iter_next(&entry.iterator)
      if let value = entry.variantContent() { properties[key] = value }
      dbus_message_iter_next(&iterator)
    }
    return properties
  }

  private mutating func signature() -> String {
    guard let text = dbus_message_iter_get_signature(&iterator) else { return "" }
    defer { dbus_free(text) }
    return String(cString: text)
  }
}
