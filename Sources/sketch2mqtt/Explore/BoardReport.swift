import DeviceModel

/// A board's services, as `explore` shows them.
struct BoardReport {
  private let board: Value.Members

  /// - Parameter answer: Of the request `ble/explore`.
  init(_ answer: Value) { board = answer.members }

  func lines(isStyled: Bool) -> [String] {
    var head = [board.text("address")]
    if !board.text("name").isEmpty { head.append(TextTable.plain(board.text("name"))) }
    if let rssi = board["rssi"]?.shown { head.append("\(rssi) dBm") }
    if let mtu = board["mtu"]?.shown { head.append("MTU \(mtu)") }
    var lines = [TextTable.cut(head.joined(separator: "  "), to: TextTable.columns)]
    for service in board["services"]?.elements ?? [] {
      let title = Self.title(service)
      lines += ["", isStyled ? "\u{1B}[1m\(title)\u{1B}[0m" : title]
      var table = TextTable(widths: [38, 24, 40])
      for characteristic in service["characteristics"]?.elements ?? [] {
        Self.add(characteristic, to: &table)
      }
      lines += table.lines
    }
    return lines
  }

  private static func title(_ entry: Value.Members) -> String {
    let name = entry.text("name")
    return TextTable.cut(
      name.isEmpty ? entry.text("uuid") : "\(entry.text("uuid"))  \(name)", to: TextTable.columns)
  }

  private static func add(_ characteristic: Value.Members, to table: inout TextTable) {
    let encryption = characteristic["encryption"]?.words ?? []
    let properties = (characteristic["properties"]?.words ?? []).map { word in
      short(word) + (encryption.contains(word) ? "*" : "")
    }
    var value = characteristic["value"].map(shown) ?? ""
    if !encryption.isEmpty, value.isEmpty { value = "* when paired" }
    table.add(["  " + title(characteristic), properties.joined(separator: " "), value])
    for descriptor in characteristic["descriptors"]?.elements ?? [] {
      table.add(["    " + title(descriptor), "", descriptor["value"].map(shown) ?? ""])
    }
  }

  private static func short(_ property: String) -> String {
    switch property {
    case "write-without-response": "command"
    case "authenticated-signed-writes": "signed"
    default: property
    }
  }

  /// In hexadecimal, and as text where it is one.
  private static func shown(_ value: Value) -> String {
    guard case .text(let hex) = value, let bytes = [UInt8](hexadecimal: hex), !bytes.isEmpty else {
      return ""
    }
    let isText = bytes.count > 1 && bytes.allSatisfy { (0x20...0x7E).contains($0) }
    return isText ? "'\(String(decoding: bytes, as: UTF8.self))'" : hex
  }
}

extension Value {
  var members: Value.Members { if case .object(let members) = self { members } else { [:] } }

  func member(_ name: String) -> Value { members[name] ?? .unknown }

  /// The objects of a list.
  var elements: [Value.Members] {
    guard case .list(let list) = self else { return [] }
    return list.map(\.members)
  }

  /// The texts of a list.
  var words: [String] {
    guard case .list(let list) = self else { return [] }
    return list.compactMap { if case .text(let text) = $0 { text } else { nil } }
  }

  /// Nil for what is not known.
  var shown: String? { self == .unknown ? nil : briefly }
}

extension Value.Members {
  fileprivate subscript(text name: String) -> String? {
    if case .text(let text)? = self[name] { text } else { nil }
  }

  func text(_ name: String) -> String { self[text: name] ?? "" }

  /// The object of this name; without members where there is none.
  func member(_ name: String) -> Value.Members { self[name]?.members ?? [:] }
}
