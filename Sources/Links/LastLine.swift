/// The last line of a text of any length that has something in it.
struct LastLine {
  private var present: [UInt8] = []
  private var complete: [UInt8] = []

  /// The rest of a longer line is left out. Bytes.
  private static let limit = 300

  mutating func append(_ bytes: some Sequence<UInt8>) {
    for byte in bytes {
      if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") {
        if !present.isEmpty { complete = present }
        present = []
      } else if present.count < Self.limit {
        present.append(byte >= 0x20 && byte != 0x7F ? byte : UInt8(ascii: " "))
      }
    }
  }

  var text: String { String(decoding: present.isEmpty ? complete : present, as: UTF8.self) }
}
