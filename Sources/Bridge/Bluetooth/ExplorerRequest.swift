import Adapters
import BlueZ
import DeviceModel

/// The members of a request about Bluetooth, each checked when it is asked for.
struct ExplorerRequest: Sendable {
  private let members: Value.Members

  init(_ members: Value.Members) { self.members = members }

  func text(_ name: String) throws(ExplorerError) -> String? {
    switch members[name] {
    case nil, .unknown?: return nil
    case .text(let text)?: return text
    case let other?: throw .invalid("'\(name)' takes a text, not \(other.briefly.excerpt)")
    }
  }

  func boolean(_ name: String) throws(ExplorerError) -> Bool? {
    switch members[name] {
    case nil, .unknown?: return nil
    case .boolean(let isTrue)?: return isTrue
    case let other?: throw .invalid("'\(name)' takes true or false, not \(other.briefly.excerpt)")
    }
  }

  func integer(_ name: String, in range: ClosedRange<Int>) throws(ExplorerError) -> Int? {
    guard let value = members[name], value != .unknown else { return nil }
    guard case .integer(let integer) = value, range.contains(integer) else {
      throw .invalid(
        "'\(name)' takes \(range.lowerBound) to \(range.upperBound), not \(value.briefly.excerpt)")
    }
    return integer
  }

  func seconds(_ name: String, in range: ClosedRange<Int>) throws(ExplorerError) -> Duration? {
    guard let value = members[name], value != .unknown else { return nil }
    let number: Double? =
      switch value {
      case .integer(let integer): Double(integer)
      case .number(let number): number
      default: nil
      }
    guard let number, (Double(range.lowerBound)...Double(range.upperBound)).contains(number) else {
      throw .invalid(
        "'\(name)' takes \(range.lowerBound) to \(range.upperBound) seconds, not \(value.briefly.excerpt)")
    }
    return .seconds(number)
  }

  func uuids(_ name: String) throws(ExplorerError) -> [BluetoothUUID] {
    guard let value = members[name], value != .unknown else { return [] }
    guard case .list(let elements) = value else { throw .invalid("'\(name)' takes a list of UUIDs") }
    var uuids: [BluetoothUUID] = []
    for element in elements {
      guard case .text(let text) = element, let uuid = BluetoothUUID(text) else {
        throw .invalid("'\(name)' takes UUIDs such as 180f, not \(element.briefly.excerpt)")
      }
      uuids.append(uuid)
    }
    return uuids
  }

  func uuid(_ name: String) throws(ExplorerError) -> BluetoothUUID? {
    guard let text = try text(name) else { return nil }
    guard let uuid = BluetoothUUID(text) else {
      throw .invalid("'\(name)' takes a UUID such as 2a19, not '\(text.excerpt)'")
    }
    return uuid
  }

  /// By `address` or `name`.
  func board() throws(ExplorerError) -> BoardSelector {
    if let text = try text("address") {
      guard let address = BluetoothAddress(text) else {
        throw .invalid("'address' takes an address such as C0:DE:00:00:00:01, not '\(text.excerpt)'")
      }
      return .address(address.description)
    }
    guard let name = try text("name"), !name.isEmpty else {
      throw .invalid("'address' is missing, or 'name'")
    }
    return .name(name)
  }

  /// The characteristic that `characteristic`, and where that is not enough `service` or `handle`, names.
  func characteristic(among services: [GATTService]) throws(ExplorerError) -> GATTCharacteristic {
    let service = try uuid("service")
    let handle = try integer("handle", in: 1...0xFFFF)
    let wanted = try uuid("characteristic")
    guard wanted != nil || handle != nil else { throw .invalid("'characteristic' is missing") }
    let all = services.filter { service == nil || $0.uuid == service }.flatMap(\.characteristics)
    let found = all.filter { characteristic in
      (wanted == nil || characteristic.uuid == wanted)
        && (handle == nil || Int(characteristic.handle) == handle)
    }
    let name = wanted.map { "characteristic \($0.short)" } ?? "characteristic of handle \(handle ?? 0)"
    switch found.count {
    case 0: throw .noCharacteristic(name, found: all.map(\.uuid.short))
    case 1: return found[0]
    default: throw .ambiguous(name, found.map { String($0.handle) })
    }
  }

  func encoding() throws(ExplorerError) -> String {
    let words = ByteEncoding.allCases.map(\.rawValue)
    guard let word = try text("encoding") else { return ByteEncoding.hex.rawValue }
    guard words.contains(word) else {
      throw .invalid("'encoding' takes one of \(words.joined(separator: ", ")), not '\(word.excerpt)'")
    }
    return word
  }

  /// `value`, by its `encoding`; at most what an attribute can hold.
  func value() throws(ExplorerError) -> [UInt8] {
    guard let text = try text("value") else { throw .invalid("'value' is missing") }
    let word = try encoding()
    let bytes: [UInt8]
    do throws(ByteEncodingError) {
      bytes = try (ByteEncoding(rawValue: word) ?? .hex).decode(Array(text.utf8))
    } catch {
      throw .invalid("'value' is not \(word): \(error)")
    }
    guard bytes.count <= AttributeOrder.longestValue else {
      throw .invalid(
        "'value' has \(bytes.count) bytes; an attribute takes \(AttributeOrder.longestValue) at most")
    }
    return bytes
  }

  /// Nil for bytes that are no text when text is asked for.
  static func encode(_ bytes: [UInt8], _ encoding: String) -> (encoding: String, text: String)? {
    let encoded = (ByteEncoding(rawValue: encoding) ?? .hex).encode(bytes)
    return String(validating: encoded, as: UTF8.self).map { (encoding, $0) }
  }
}
