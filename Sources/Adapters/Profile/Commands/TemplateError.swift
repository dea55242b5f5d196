/// What is wrong with a template.
struct TemplateError: Error, Hashable, Sendable {
  var what: String
  var expectation: String?
  var suggestion: String?
}
