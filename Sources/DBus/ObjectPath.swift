/// The name of an object on a bus, such as `/org/bluez/hci0`.
public struct ObjectPath: Hashable, Sendable, CustomStringConvertible {
  public let text: String

  public static let root = ObjectPath(unchecked: "/")

  /// Nil unless `text` is a path by the D-Bus specification: `/`, or elements of letters, digits and `_`, each
  /// after one `/`.
  public init?(_ text: String) {
    guard Self.isValid(text) else { return nil }
    self.text = text
  }

  /// For text that libdbus has checked already.
  init(unchecked text: String) { self.text = text }

  public var description: String { text }

  /// The path one element up; nil at the root.
  public var parent: ObjectPath? {
    guard text != "/", let slash = text.lastIndex(of: "/") else { return nil }
    return slash == text.startIndex ? .root : ObjectPath(unchecked: String(text[..<slash]))
  }

  public var lastElement: Substring {
    text.lastIndex(of: "/").map { text[text.index(after: $0)...] } ?? text[...]
  }

  /// This path with one more element, nil when `element` may not be one.
  public func appending(_ element: String) -> ObjectPath? {
    ObjectPath(text == "/" ? "/" + element : text + "/" + element)
  }

  /// Whether this path lies below `other`, at any depth; no path lies below itself.
  public func isBelow(_ other: ObjectPath) -> Bool {
    if other == .root { return self != .root }
    return text.utf8.count > other.text.utf8.count && text.hasPrefix(other.text)
      && text.utf8[text.utf8.index(text.utf8.startIndex, offsetBy: other.text.utf8.count)]
        == UInt8(ascii: "/")
  }

  private static func isValid(_ text: String) -> Bool {
    if text == "/" { return true }
    guard text.utf8.first == UInt8(ascii: "/") else { return false }
    var previous: UInt8 = 0
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "/"): if previous == byte { return false }
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
        break
      default: return false
      }
      previous = byte
    }
    return previous != UInt8(ascii: "/")
  }
}
