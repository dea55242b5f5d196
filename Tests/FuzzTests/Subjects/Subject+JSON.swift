import DeviceModel
import JSON

extension Subject {
  /// What is read is written as text that reads and writes the same; a refusal says where, and is short.
  static let json = Subject("json") { input throws(Violation) in
    let value: Value
    do throws(JSONError) {
      value = try JSON.parse(input)
    } catch {
      return try require(error.description.utf8.count < 300, "a long refusal: \(error)")
    }
    let text = JSON.text(of: value)
    try require(text.utf8.count <= 16 * input.count + 16, "\(text.utf8.count) bytes are written")
    let again = try? JSON.parse(text, limits: JSON.Limits(size: .max))
    try require(again.map(JSON.text(of:)) == text, "\(text) does not read as it was written")
  }
}
