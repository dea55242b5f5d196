import DeviceModel
import JSON

/// Blots out texts that must not be shown, also where they stand in hexadecimal.
struct Redaction {
  /// Each with what takes its place, the longest first.
  private let replacements: [(text: String, blot: String)]

  init(_ secrets: [String]) {
    replacements = Set(secrets).filter { !$0.isEmpty }.sorted { ($0.utf8.count, $0) > ($1.utf8.count, $1) }
      .flatMap { secret in
        let blot = String(repeating: "*", count: secret.utf8.count)
        return [(secret, blot), (secret.utf8.hexadecimal, blot.utf8.hexadecimal)]
      }
  }

  func blotted(_ value: Value) -> Value {
    if replacements.isEmpty { return value }
    switch value {
    case .text(let text):
      return .text(replacements.reduce(text) { $0.replacing($1.text, with: $1.blot) })
    case .list(let list): return .list(list.map(blotted))
    case .object(let members):
      return .object(Value.Members(members.pairs.map { ($0.name, blotted($0.value)) }))
    case .integer, .number:
      let text = JSON.text(of: value)
      return replacements.contains { text.replacing($0.text, with: $0.blot) != text } ? .unknown : value
    case .unknown, .boolean: return value
    }
  }
}

extension String {
  fileprivate func replacing(_ text: String, with blot: String) -> String {
    let pattern = Array(text.utf8)
    let replacement = Array(blot.utf8)
    let bytes = Array(utf8)
    guard pattern.count <= bytes.count else { return self }
    var result: [UInt8] = []
    var place = 0
    while place < bytes.count {
      if bytes[place...].starts(with: pattern) {
        result += replacement
        place += pattern.count
      } else {
        result.append(bytes[place])
        place += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
