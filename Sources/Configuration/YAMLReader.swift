import DeviceModel

/// YAML text to a located value: no types are guessed, no tag is unknown, nothing grows beyond its bounds.
struct YAMLReader {
  /// Lists and mappings inside each other.
  static let maximumDepth = 32
  /// Values in one file, keys not counted.
  static let maximumValues = 100_000
  /// Values that aliases and merge keys may add to what is written.
  static let maximumExpansion = 10_000

  private let parser: YAMLParser
  private let secrets: SecretSource
  private var problems: [ConfigurationProblem] = []
  private var anchors: [String: (value: LocatedValue, size: Int)] = [:]
  private var count = 0
  private var expansion = 0

  /// - Returns: nil if the text is no YAML, or empty; else what is written, without what is among the problems.
  static func read(
    _ text: [UInt8], file: String, secrets: SecretSource
  ) -> (value: LocatedValue?, problems: [ConfigurationProblem]) {
    if let problem = YAMLText.problem(in: text, file: file) { return (nil, [problem]) }
    do throws(ConfigurationProblem) {
      var reader = YAMLReader(parser: try YAMLParser(text, file: file), secrets: secrets)
      do throws(ConfigurationProblem) {
        return (try reader.document(), reader.problems)
      } catch {
        return (nil, reader.problems + [error])
      }
    } catch {
      return (nil, [error])
    }
  }

  private init(parser: YAMLParser, secrets: SecretSource) {
    self.parser = parser
    self.secrets = secrets
  }

  private mutating func document() throws(ConfigurationProblem) -> LocatedValue? {
    guard case .documentStart = try parser.next().event else { return nil }
    let (event, location) = try parser.next()
    let value = try node(event, at: location, depth: 0).value
    _ = try parser.next()
    let (end, endLocation) = try parser.next()
    guard case .streamEnd = end else {
      throw ConfigurationProblem("a second document", at: endLocation, expectation: "one document")
    }
    return value
  }

  /// `size` counts the values in it, itself included.
  private mutating func node(
    _ event: YAMLParser.Event, at location: SourceLocation, depth: Int
  ) throws(ConfigurationProblem) -> (value: LocatedValue, size: Int) {
    count += 1
    guard count <= Self.maximumValues else {
      throw ConfigurationProblem("more than \(Self.maximumValues) values", at: location)
    }
    var node: (value: LocatedValue, size: Int)
    let anchor: String?
    switch event {
    case .alias(let name): return try alias(name, at: location)
    case .scalar(let text, let style, let properties):
      node = (scalar(text, style, tag: properties.tag, at: location), 1)
      anchor = properties.anchor
    case .sequenceStart(let properties):
      try checkDepth(depth, at: location)
      refuseTag(properties.tag, at: location)
      node = try sequence(at: location, depth: depth)
      anchor = properties.anchor
    case .mappingStart(let properties):
      try checkDepth(depth, at: location)
      refuseTag(properties.tag, at: location)
      node = try mapping(at: location, depth: depth)
      anchor = properties.anchor
    case .documentStart, .documentEnd, .streamEnd, .sequenceEnd, .mappingEnd:
      throw ConfigurationProblem("no value", at: location)
    }
    if let anchor { anchors[anchor] = node }
    return node
  }

  private func checkDepth(_ depth: Int, at location: SourceLocation) throws(ConfigurationProblem) {
    guard depth < Self.maximumDepth else {
      throw ConfigurationProblem(
        "nested too deeply", at: location, expectation: "at most \(Self.maximumDepth) levels")
    }
  }

  private mutating func alias(
    _ name: String, at location: SourceLocation
  ) throws(ConfigurationProblem) -> (value: LocatedValue, size: Int) {
    guard let node = anchors[name] else {
      problems.append(
        ConfigurationProblem(
          "no anchor '\(ConfigurationProblem.excerpt(of: name))' before this alias", at: location,
          suggestion: anchors.count > 100 ? nil : nearestName(to: name, among: anchors.keys.sorted())))
      return (LocatedValue(.null, at: location), 1)
    }
    try expand(by: node.size, at: location)
    return node
  }

  private mutating func expand(by size: Int, at location: SourceLocation) throws(ConfigurationProblem) {
    expansion += size
    guard expansion <= Self.maximumExpansion else {
      throw ConfigurationProblem(
        "aliases add more than \(Self.maximumExpansion) values", at: location, expectation: "fewer aliases")
    }
  }

  private mutating func sequence(
    at location: SourceLocation, depth: Int
  ) throws(ConfigurationProblem) -> (value: LocatedValue, size: Int) {
    var elements: [LocatedValue] = []
    var size = 1
    while true {
      let (event, elementLocation) = try parser.next()
      if case .sequenceEnd = event { return (LocatedValue(.sequence(elements), at: location), size) }
      let element = try node(event, at: elementLocation, depth: depth + 1)
      elements.append(element.value)
      size += element.size
    }
  }

  private mutating func mapping(
    at location: SourceLocation, depth: Int
  ) throws(ConfigurationProblem) -> (value: LocatedValue, size: Int) {
    var mapping = YAMLMapping()
    var merged: [(value: LocatedValue, at: SourceLocation)] = []
    var size = 1
    while true {
      let (event, keyLocation) = try parser.next()
      if case .mappingEnd = event { break }
      let key = try self.key(event, at: keyLocation, depth: depth)
      let (valueEvent, valueLocation) = try parser.next()
      let value = try node(valueEvent, at: valueLocation, depth: depth + 1)
      size += value.size
      switch key {
      case .text("<<", style: .plain): merged.append((value.value, keyLocation))
      case .text(let text, _):
        if let problem = mapping.append(.init(key: text, at: keyLocation, value: value.value)) {
          problems.append(problem)
        }
      case .none: break
      }
    }
    for (value, keyLocation) in merged {
      let before = mapping.entries.count
      guard mapping.merge(value) else {
        problems.append(
          ConfigurationProblem(
            "'<<' cannot merge this", at: keyLocation, expectation: "a mapping, or a list of mappings"))
        continue
      }
      try expand(by: mapping.entries.count - before, at: keyLocation)
      size += mapping.entries.count - before
    }
    return (LocatedValue(.mapping(mapping.entries), at: location), size)
  }

  private enum Key {
    case text(String, style: LocatedValue.Scalar.Style)
    /// It was reported.
    case none
  }

  private mutating func key(
    _ event: YAMLParser.Event, at location: SourceLocation, depth: Int
  ) throws(ConfigurationProblem) -> Key {
    if case .scalar(let text, let style, let properties) = event, properties.tag == nil, !text.isEmpty {
      if properties.anchor != nil { _ = try node(event, at: location, depth: depth + 1) }
      return .text(text, style: style)
    }
    let value = try node(event, at: location, depth: depth + 1).value
    if case .scalar(let scalar) = value.content, !scalar.isSecret, !scalar.text.isEmpty {
      return .text(scalar.text, style: scalar.style)
    }
    problems.append(ConfigurationProblem("not valid as a key", at: location, expectation: "text"))
    return .none
  }

  private mutating func scalar(
    _ text: String, _ style: LocatedValue.Scalar.Style, tag: String?, at location: SourceLocation
  ) -> LocatedValue {
    switch tag {
    case nil:
      let isNull = style == .plain && ["", "~", "null", "Null", "NULL"].contains(text)
      return LocatedValue(isNull ? .null : .scalar(.init(text, style: style)), at: location)
    case "!file"?, "!env"?:
      do throws(ConfigurationProblem) {
        let secret =
          tag == "!file"
          ? try secrets.contents(ofFile: text, at: location) : try secrets.variable(text, at: location)
        problems += secret.warnings
        return LocatedValue(.scalar(.init(secret.text, style: .quoted, isSecret: true)), at: location)
      } catch {
        problems.append(error)
        return LocatedValue(.null, at: location)
      }
    default:
      refuseTag(tag, at: location)
      return LocatedValue(.scalar(.init(text, style: .quoted)), at: location)
    }
  }

  /// Tags of YAML's own types say nothing that the schema does not know better.
  private mutating func refuseTag(_ tag: String?, at location: SourceLocation) {
    guard let tag, tag != "!", !tag.hasPrefix("tag:yaml.org,2002:") else { return }
    let known = ["!file", "!env"]
    guard !known.contains(tag) else {
      problems.append(
        ConfigurationProblem("'\(tag)' before a list or mapping", at: location, expectation: "text after it"))
      return
    }
    problems.append(
      ConfigurationProblem(
        "unknown tag '\(ConfigurationProblem.excerpt(of: tag))'", at: location,
        expectation: "!file or !env", suggestion: nearestName(to: tag, among: known)))
  }
}
