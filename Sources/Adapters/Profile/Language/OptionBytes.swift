import DeviceModel

extension Options {
  /// Text as UTF-8, or the bytes of `{ hex: … }`; nil when nothing is written.
  func wireBytes(_ name: String) -> [UInt8]? { self[name].flatMap(Self.wireBytes(of:)) }

  static func wireBytes(of value: OptionValue) -> [UInt8]? {
    switch value {
    case .text(let text): Array(text.utf8)
    case .object(let object): object.text("hex").flatMap { [UInt8](spacedHexadecimal: $0.utf8) }
    default: nil
    }
  }

  /// A text, or the texts of a list.
  func words(_ name: String) -> [String] { text(name).map { [$0] } ?? texts(name) }

  /// The mapping of a table or a map; nil when nothing is written.
  func table(_ name: String) -> [(word: String, text: String, location: SourceLocation)]? {
    map(name)?.compactMap { named in
      switch named.value {
      case .text(let text): (named.name, text, named.location)
      case .integer(let integer): (named.name, String(integer), named.location)
      default: nil
      }
    }
  }

  /// A problem of one entry of a mapping.
  func problem(
    _ message: String, at name: String, entry: String, location: SourceLocation, expectation: String? = nil,
    suggestion: String? = nil
  ) -> ConfigurationProblem {
    var problem = self.problem(message, at: name, expectation: expectation, suggestion: suggestion)
    problem.location = location
    problem.path += ".\(ConfigurationProblem.excerpt(of: entry))"
    return problem
  }
}
