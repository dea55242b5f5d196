import DeviceModel
import JSON

extension LineForm {
  /// The rows of a table as its board tells them, place by place.
  struct Table: Hashable, Sendable {
    /// Nil for one that was not told yet.
    private var places: [Place?]

    private enum Place: Hashable, Sendable {
      case empty
      case row(Value.Members)
    }

    init(places: Int) { self.places = Array(repeating: nil, count: places) }

    /// False for a place that there is not.
    mutating func set(_ row: Value.Members?, at place: Int) -> Bool {
      guard places.indices.contains(place) else { return false }
      places[place] = row.map(Place.row) ?? .empty
      return true
    }

    /// In the order of their places; nil as long as not all of them were told.
    var rows: [Value.Members]? {
      guard places.allSatisfy({ $0 != nil }) else { return nil }
      return places.compactMap { if case .row(let row) = $0 { row } else { nil } }
    }

    var value: Value { rows.map { .list($0.map(Value.object)) } ?? .unknown }
  }
}

extension LineForm.Entity {
  /// What a command for a table asks of the board, one row after the other.
  func arguments(
    _ command: Command, for table: LineForm.Table?
  ) throws(Rejection) -> [LineForm.BridgeLine.Argument] {
    switch (command.verb, command.value) {
    case (.put, let value): return [.put(try row(value, at: key))]
    case (.delete, .text(let name)) where !name.isEmpty: return [.delete(JSON.text(of: .text(name)))]
    case (.delete, .object(let members)) where members.count == 1:
      guard case .text(let name)? = members["name"], !name.isEmpty else { break }
      return [.delete(JSON.text(of: .text(name)))]
    case (.set, .list(let rows)): return try replacement(rows, of: table)
    default: break
    }
    let expected = command.verb == .set ? "a list of rows" : "the name of a row"
    throw Rejection(.invalid, "\(key) takes \(expected), not \(command.value.briefly.excerpt)")
  }

  private func replacement(
    _ wanted: [Value], of table: LineForm.Table?
  ) throws(Rejection) -> [LineForm.BridgeLine.Argument] {
    guard let present = table?.rows else { throw Rejection(.notNow, "\(key) is not known yet") }
    guard wanted.count <= rows ?? 0 else {
      throw Rejection(.full, "\(key) has room for \(rows ?? 0) rows, not \(wanted.count)")
    }
    var names: Set<String> = []
    var puts: [LineForm.BridgeLine.Argument] = []
    for (index, value) in wanted.enumerated() {
      let text = try row(value, at: "\(key)[\(index)]")
      guard case .object(let row) = value, let name = row.rowName else { continue }
      guard names.insert(name).inserted else {
        throw Rejection(.invalid, "\(key)[\(index)] has the name '\(name.excerpt)' of a row before")
      }
      let isThere = present.contains {
        $0.pairs.allSatisfy { row[$0.name] == $0.value } && $0.count == row.count
      }
      if !isThere { puts.append(.put(text)) }
    }
    let deletes = present.compactMap(\.rowName).filter { !names.contains($0) }
      .map { LineForm.BridgeLine.Argument.delete(JSON.text(of: .text($0))) }
    return deletes + puts
  }

  private func row(_ value: Value, at place: String) throws(Rejection) -> String {
    guard case .object(let row) = value, row.isFlat, row.rowName != nil else {
      throw Rejection(
        .invalid, "\(place) takes a flat JSON object with a name, not \(value.briefly.excerpt)")
    }
    for case (_, .text(let text)) in row.pairs where text.utf8.contains(where: { $0 < 0x20 }) {
      throw Rejection(.invalid, "\(place) takes no control characters, as in '\(text.excerpt)'")
    }
    let text = JSON.text(of: value)
    guard text.utf8.count <= longest ?? 0 else {
      throw Rejection(
        .outOfRange, "\(place) takes at most \(longest ?? 0) bytes of JSON, not \(text.utf8.count)")
    }
    return text
  }
}

extension Value.Members {
  /// What tells the rows of a table apart; nil if it has none.
  var rowName: String? {
    guard case .text(let name)? = self["name"], !name.isEmpty else { return nil }
    return name
  }
}
