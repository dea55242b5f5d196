/// A value of a message, of any type that D-Bus has.
///
/// Arrays of bytes and dictionaries from strings to variants, by far the most common containers, have cases of
/// their own: `ay` is always ``bytes(_:)`` and `a{sv}` always ``properties(_:)``.
public indirect enum DBusValue: Sendable, Equatable {
  case byte(UInt8)
  case boolean(Bool)
  case int16(Int16)
  case uint16(UInt16)
  case int32(Int32)
  case uint32(UInt32)
  case int64(Int64)
  case uint64(UInt64)
  case double(Double)
  case string(String)
  case objectPath(ObjectPath)
  case signature(String)
  case descriptor(OwnedDescriptor)
  case bytes([UInt8])
  /// Values that all have the type `of`, which an empty array cannot tell by itself.
  case array(of: String, [DBusValue])
  /// `a{sv}`, without the variants that wrap each value on the wire.
  case properties([String: DBusValue])
  /// Any other dictionary, in the order of the wire.
  case dictionary(key: String, value: String, [Entry])
  case structure([DBusValue])
  case variant(DBusValue)

  public struct Entry: Sendable, Equatable {
    public var key: DBusValue
    public var value: DBusValue

    public init(_ key: DBusValue, _ value: DBusValue) {
      self.key = key
      self.value = value
    }
  }

  public static func strings(_ strings: [String]) -> DBusValue {
    .array(of: "s", strings.map { .string($0) })
  }

  /// The type in the notation of the D-Bus specification.
  public var signature: String {
    switch self {
    case .byte: "y"
    case .boolean: "b"
    case .int16: "n"
    case .uint16: "q"
    case .int32: "i"
    case .uint32: "u"
    case .int64: "x"
    case .uint64: "t"
    case .double: "d"
    case .string: "s"
    case .objectPath: "o"
    case .signature: "g"
    case .descriptor: "h"
    case .bytes: "ay"
    case .array(let element, _): "a" + element
    case .properties: "a{sv}"
    case .dictionary(let key, let value, _): "a{" + key + value + "}"
    case .structure(let fields): "(" + fields.map(\.signature).joined() + ")"
    case .variant: "v"
    }
  }
}

extension DBusValue {
  public var boolean: Bool? { if case .boolean(let value) = self { value } else { nil } }
  public var string: String? { if case .string(let value) = self { value } else { nil } }
  public var objectPath: ObjectPath? { if case .objectPath(let value) = self { value } else { nil } }
  public var int16: Int16? { if case .int16(let value) = self { value } else { nil } }
  public var uint16: UInt16? { if case .uint16(let value) = self { value } else { nil } }
  public var uint32: UInt32? { if case .uint32(let value) = self { value } else { nil } }
  public var bytes: [UInt8]? { if case .bytes(let value) = self { value } else { nil } }
  public var properties: [String: DBusValue]? { if case .properties(let value) = self { value } else { nil } }
  public var descriptor: OwnedDescriptor? { if case .descriptor(let value) = self { value } else { nil } }
  public var entries: [Entry]? { if case .dictionary(_, _, let value) = self { value } else { nil } }

  /// The elements of an array, nil for anything else.
  public var elements: [DBusValue]? { if case .array(_, let value) = self { value } else { nil } }

  /// The strings of an array of strings, nil for anything else.
  public var strings: [String]? {
    guard case .array("s", let values) = self else { return nil }
    return values.compactMap(\.string)
  }
}
