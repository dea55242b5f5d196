extension OptionSchema {
  /// The reference of these keys as a Markdown table; keys inside a mapping are written `filters.interval`,
  /// inside a list of mappings `persons[].name`, inside a map `links.<name>.tcp`.
  public var markdownTable: String {
    var lines = ["| key | value | without it | meaning |", "|---|---|---|---|"]
    for row in rows(prefix: "") {
      let cells = row.map { cell in
        cell.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
      }
      lines.append("| " + cells.joined(separator: " | ") + " |")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  fileprivate func rows(prefix: String) -> [[String]] {
    fields.flatMap { field -> [[String]] in
      let name = prefix + field.name
      let absence =
        switch field.presence {
        case .required: "required"
        case .optional: "–"
        case .defaulted(let value): "`\(value.configurationText)`"
        }
      return [["`\(name)`", field.type.tableText, absence, field.summary]] + field.type.rows(prefix: name)
    }
  }
}

extension OptionType {
  fileprivate func rows(prefix: String) -> [[String]] {
    switch self {
    case .object(let schema): schema.rows(prefix: prefix + ".")
    case .list(let element, _): element.rows(prefix: prefix + "[]")
    case .map(let element, _): element.rows(prefix: prefix + ".<name>")
    case .table(let element, _): element.rows(prefix: prefix + ".<word>")
    case .shapes(let types): types.flatMap { $0.rows(prefix: prefix) }
    default: []
    }
  }

  fileprivate var tableText: String {
    switch self {
    case .choice(let words): words.map { "`\($0)`" }.joined(separator: ", ")
    case .list(let element, _): "list: \(element.tableText)"
    case .object: "mapping"
    case .map(let element, _): "mapping: name → \(element.tableText)"
    case .table(let element, _): "mapping: word → \(element.tableText)"
    case .document: "mapping, or path of a file"
    case .shapes(let types): types.map(\.tableText).joined(separator: ", or ")
    case .rule(let rule): rule.name
    case .duration(let range):
      "duration, \(range.lowerBound.configurationText) to \(range.upperBound.configurationText)"
    case .bluetoothAddress: "Bluetooth address"
    case .path: "path of a file"
    case .secret: "\(expectation), secret"
    default: expectation
    }
  }
}

extension OptionValue {
  /// As an owner would write it.
  var configurationText: String {
    switch self {
    case .text(let text): text
    case .secret(let secret): secret.description
    case .boolean(let boolean): boolean ? "true" : "false"
    case .integer(let integer): "\(integer)"
    case .number(let number):
      number == number.rounded() && abs(number) < 1e15 ? "\(Int(number))" : "\(number)"
    case .duration(let duration): duration.configurationText
    case .hostPort(let hostPort): hostPort.description
    case .bluetoothAddress(let address): address.description
    case .list(let values): "[" + values.map(\.configurationText).joined(separator: ", ") + "]"
    case .object, .map, .anything: "{}"
    }
  }
}
