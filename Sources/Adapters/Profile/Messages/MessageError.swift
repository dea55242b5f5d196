/// Why a message is not of a form, or a value not of a property.
struct MessageError: Error, Hashable, Sendable, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}
