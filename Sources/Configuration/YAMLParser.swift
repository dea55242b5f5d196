import CYAML
import DeviceModel

/// libyaml's stream of events over one text, with line and column.
final class YAMLParser {
  enum Event {
    case documentStart
    case documentEnd
    case streamEnd
    case alias(String)
    case scalar(text: String, style: LocatedValue.Scalar.Style, properties: Properties)
    case sequenceStart(Properties)
    case sequenceEnd
    case mappingStart(Properties)
    case mappingEnd
  }

  /// What stands before a node.
  struct Properties {
    var anchor: String?
    var tag: String?
  }

  private let file: String
  private let input: UnsafeMutableBufferPointer<UInt8>
  private let parser: UnsafeMutablePointer<yaml_parser_t>

  /// `text` must be UTF-8 without control characters; ``YAMLText/check(_:file:)`` knows better words for those.
  init(_ text: [UInt8], file: String) throws(ConfigurationProblem) {
    self.file = file
    // The library keeps pointers to both until it is closed.
    input = .allocate(capacity: text.count)
    _ = input.initialize(from: text)
    parser = .allocate(capacity: 1)
    parser.initialize(to: yaml_parser_t())
    guard yaml_parser_initialize(parser) == 1 else {
      parser.deallocate()
      input.deallocate()
      throw ConfigurationProblem("out of memory", at: SourceLocation(file: file))
    }
    yaml_parser_set_input_string(parser, input.baseAddress, input.count)
    // Else a byte order mark would make it read UTF-16.
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
  }

  deinit {
    yaml_parser_delete(parser)
    parser.deallocate()
    input.deallocate()
  }

  /// The next event and where it begins. Not to be called again after ``Event/streamEnd`` or an error.
  func next() throws(ConfigurationProblem) -> (event: Event, location: SourceLocation) {
    while true {
      var event = yaml_event_t()
      guard yaml_parser_parse(parser, &event) == 1 else { throw syntaxProblem }
      defer { yaml_event_delete(&event) }
      if let translated = translate(event) { return (translated, location(event.start_mark)) }
    }
  }

  private func location(_ mark: yaml_mark_t) -> SourceLocation {
    SourceLocation(file: file, line: mark.line + 1, column: mark.column + 1)
  }

  private func translate(_ event: yaml_event_t) -> Event? {
    switch event.type {
    case YAML_DOCUMENT_START_EVENT: return .documentStart
    case YAML_DOCUMENT_END_EVENT: return .documentEnd
    case YAML_STREAM_END_EVENT: return .streamEnd
    case YAML_ALIAS_EVENT: return .alias(Self.text(event.data.alias.anchor) ?? "")
    case YAML_SCALAR_EVENT:
      let scalar = event.data.scalar
      let text = String(
        decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
      return .scalar(
        text: text, style: scalar.style == YAML_PLAIN_SCALAR_STYLE ? .plain : .quoted,
        properties: Self.properties(scalar.anchor, scalar.tag))
    case YAML_SEQUENCE_START_EVENT:
      let sequence = event.data.sequence_start
      return .sequenceStart(Self.properties(sequence.anchor, sequence.tag))
    case YAML_SEQUENCE_END_EVENT: return .sequenceEnd
    case YAML_MAPPING_START_EVENT:
      let mapping = event.data.mapping_start
      return .mappingStart(Self.properties(mapping.anchor, mapping.tag))
    case YAML_MAPPING_END_EVENT: return .mappingEnd
    default: return nil
    }
  }

  private static func text(_ characters: UnsafeMutablePointer<yaml_char_t>?) -> String? {
    characters.map { String(cString: $0) }
  }

  private static func properties(
    _ anchor: UnsafeMutablePointer<yaml_char_t>?, _ tag: UnsafeMutablePointer<yaml_char_t>?
  ) -> Properties {
    Properties(anchor: text(anchor), tag: text(tag))
  }

  private var syntaxProblem: ConfigurationProblem {
    let error = parser.pointee
    let location = location(error.problem_mark)
    let problem = error.problem.map { String(cString: $0) } ?? "not YAML"
    switch YAMLText.character(of: input, line: location.line, column: location.column) {
    case UInt8(ascii: "\t")?:
      return ConfigurationProblem("a tab", at: location, expectation: "spaces to indent by")
    case let character?
    where problem.hasPrefix("found character that cannot start any token") && "@`%".utf8.contains(character):
      let sign = Character(Unicode.Scalar(character))
      return ConfigurationProblem(
        "text cannot begin with '\(sign)'", at: location, expectation: "quotes around it")
    default: break
    }
    var message = problem
    if let context = error.context {
      message += " \(String(cString: context))"
      if error.context_mark.line != error.problem_mark.line {
        message += " which begins in line \(error.context_mark.line + 1)"
      }
    }
    let isColonInText = problem.hasPrefix("mapping values are not allowed")
    return ConfigurationProblem(
      message, at: location,
      expectation: isColonInText ? "quotes around text that contains ': '" : nil)
  }
}
