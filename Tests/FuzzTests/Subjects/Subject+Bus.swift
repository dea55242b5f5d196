@testable import BlueZ
@testable import DBus
import DeviceModel

extension Subject {
  /// A message that libdbus takes is read, and what was read is written as a message that reads the same.
  static let busMessage = Subject("bus-message") { input throws(Violation) in
    guard !input.isEmpty, let values = BusWire.values(of: input) else { return }
    for value in values { _ = value.properties.map { Advertisement($0) } }
    // A descriptor that did not come with the message is left out of what holds it.
    guard !input.contains(UInt8(ascii: "h")) else { return }
    try writeAndRead(values, isRead: true)
  }

  /// Any values make a message that reads the same, or are refused.
  static let busValue = Subject("bus-value") { input throws(Violation) in
    var choices = Choices(input)
    var values: [DBusValue] = []
    while !choices.isAtEnd, values.count < 20 { values.append(value(&choices, depth: 0)) }
    try writeAndRead(values, isRead: false)
  }

  private static func writeAndRead(_ values: [DBusValue], isRead: Bool) throws(Violation) {
    let bytes: [UInt8]?
    do throws(DBusEncodingError) {
      bytes = try BusWire.bytes(of: values)
    } catch {
      return try require(!isRead, "what was read cannot be written: \(error)")
    }
    guard let bytes, let again = BusWire.values(of: bytes) else {
      throw Violation("libdbus refuses what was written: \(values.map(\.signature).joined())")
    }
    // Values are compared as bytes, for not-a-number is not equal to itself.
    let rewritten = (try? BusWire.bytes(of: again)) ?? nil
    try require(rewritten == bytes, "\(values) reads as \(again)")
  }

  /// Copies in copies would be endless.
  private static func widest(_ most: Int, at depth: Int) -> Int { depth < 2 ? most : 2 }

  private static func value(_ choices: inout Choices, depth: Int) -> DBusValue {
    switch choices.number(below: depth < 70 ? 19 : 13) {
    case 0: return .byte(choices.byte())
    case 1: return .boolean(choices.byte() > 127)
    case 2: return .int16(Int16(truncatingIfNeeded: choices.number64()))
    case 3: return .uint16(UInt16(truncatingIfNeeded: choices.number64()))
    case 4: return .int32(Int32(truncatingIfNeeded: choices.number64()))
    case 5: return .uint32(UInt32(truncatingIfNeeded: choices.number64()))
    case 6: return .int64(Int64(truncatingIfNeeded: choices.number64()))
    case 7: return .uint64(choices.number64())
    case 8: return .double(Double(bitPattern: choices.number64()))
    case 9: return .string(choices.text())
    case 10: return ObjectPath(choices.text()).map { .objectPath($0) } ?? .objectPath(.root)
    case 11: return .signature(choices.text())
    case 12: return .bytes(choices.bytes())
    case 13:
      let element = value(&choices, depth: depth + 1)
      return .array(
        of: element.signature, Array(repeating: element, count: choices.number(below: widest(3, at: depth))))
    case 14: return .array(of: choices.text(), [])
    case 15: return .properties([choices.text(): value(&choices, depth: depth + 1)])
    case 16:
      let key = value(&choices, depth: depth + 1)
      let content = value(&choices, depth: depth + 1)
      return .dictionary(
        key: key.signature, value: content.signature, choices.byte() > 127 ? [] : [.init(key, content)])
    case 17:
      let field = value(&choices, depth: depth + 1)
      return .structure(Array(repeating: field, count: choices.number(below: widest(256, at: depth))))
    default: return .variant(value(&choices, depth: depth + 1))
    }
  }
}
