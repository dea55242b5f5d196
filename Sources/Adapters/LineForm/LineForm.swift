/// The lines in which a board that describes itself speaks with the bridge, version 1.
///
/// The protocol page LineForm says it all; the types here are its words.
enum LineForm {
  static let mark = UInt8(ascii: "~")
  static let end: UInt8 = 0x0A
  /// Of body and checksum together, towards the bridge. Bytes.
  static let longestLine = 255
  /// Entities of one board.
  static let mostEntities = 100
  /// Of one table.
  static let mostRows = 32

  /// A body as it goes over the wire.
  static func framed(_ body: [UInt8]) -> [UInt8] {
    var line = [mark]
    line.reserveCapacity(body.count + 6)
    line.append(contentsOf: body)
    line.append(contentsOf: Checksum.digits(of: body))
    line.append(end)
    return line
  }
}
