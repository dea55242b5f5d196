public import DeviceModel

/// Mappings that may stand in files of their own, and may extend one another.
///
/// `extends: other.yaml` in such a mapping takes what stands in the other file: mappings are joined key by key, anything
/// else is replaced, and `~` takes a key away. Every value keeps the place where it is written.
struct DocumentReader {
  /// Files that extend each other, one after the other.
  static let longestChain = 8

  var secrets: SecretSource

  /// `options` with the documents among its keys read.
  func putIn(
    _ options: LocatedValue, _ schema: OptionSchema, problems: inout [ConfigurationProblem]
  ) -> LocatedValue {
    guard case .mapping(var entries) = options.content else { return options }
    for index in entries.indices {
      guard case .document? = schema[entries[index].key]?.type else { continue }
      entries[index].value = document(entries[index].value, problems: &problems)
    }
    return LocatedValue(.mapping(entries), at: options.location)
  }

  private func document(
    _ value: LocatedValue, problems: inout [ConfigurationProblem]
  ) -> LocatedValue {
    var chain: [String] = []
    switch value.content {
    case .scalar(let scalar):
      return file(scalar.text, at: value.location, chain: &chain, problems: &problems)
        ?? LocatedValue(.mapping([]), at: value.location)
    case .mapping: return extended(value, chain: &chain, problems: &problems)
    case .null, .sequence: return value
    }
  }

  /// What stands in a file; nil when that was reported.
  func file(
    _ path: String, at location: SourceLocation, chain: inout [String],
    problems: inout [ConfigurationProblem]
  ) -> LocatedValue? {
    let resolved = location.resolve(path: path)
    let shown = ConfigurationProblem.excerpt(of: resolved, limit: 200)
    guard !chain.contains(resolved) else {
      let names = (chain + [resolved]).map { ConfigurationProblem.excerpt(of: $0, limit: 100) }
      problems.append(
        ConfigurationProblem(
          "it extends itself: \(names.joined(separator: " → "))", at: location,
          expectation: "a file that does not lead back"))
      return nil
    }
    guard chain.count < Self.longestChain else {
      problems.append(
        ConfigurationProblem("more than \(Self.longestChain) files extend each other", at: location))
      return nil
    }
    let contents: FileContents
    do throws(FileContents.Failure) {
      contents = try FileContents(path: resolved, maximumSize: Configuration.maximumSize)
    } catch {
      // A file that was named on the command line stands before the words anyway.
      let name = location.file.isEmpty ? "" : "'\(shown)' "
      problems.append(
        ConfigurationProblem("\(name)\(error)", at: location, expectation: "the path of a YAML file"))
      return nil
    }
    chain.append(resolved)
    let (value, found) = YAMLReader.read(contents.bytes, file: resolved, secrets: secrets)
    problems += found
    guard let value else {
      if found.isEmpty { problems.append(Self.notMapping(at: SourceLocation(file: resolved))) }
      return nil
    }
    guard case .mapping = value.content else {
      problems.append(Self.notMapping(at: value.location))
      return nil
    }
    return extended(value, chain: &chain, problems: &problems)
  }

  private static func notMapping(at location: SourceLocation) -> ConfigurationProblem {
    ConfigurationProblem("no mapping is written", at: location, expectation: "keys and values")
  }

  private func extended(
    _ value: LocatedValue, chain: inout [String], problems: inout [ConfigurationProblem]
  ) -> LocatedValue {
    guard case .mapping(var entries) = value.content,
      let place = entries.firstIndex(where: { $0.key == "extends" })
    else { return value }
    guard case .scalar(let scalar) = entries[place].value.content, !scalar.text.isEmpty else {
      problems.append(
        ConfigurationProblem(
          "'extends' names no file", at: entries[place].value.location, expectation: "the path of a file"))
      entries.remove(at: place)
      return LocatedValue(.mapping(entries), at: value.location)
    }
    let location = entries[place].value.location
    entries.remove(at: place)
    let own = LocatedValue(.mapping(entries), at: value.location)
    guard let other = file(scalar.text, at: location, chain: &chain, problems: &problems) else { return own }
    return Self.join(other, own)
  }

  /// `own` over `other`; in the order of `other`, new keys at the end.
  private static func join(_ other: LocatedValue, _ own: LocatedValue) -> LocatedValue {
    guard case .mapping(var entries) = other.content, case .mapping(let changes) = own.content else {
      return own
    }
    for change in changes {
      let place = entries.firstIndex { $0.key == change.key }
      switch (place, change.value.content) {
      case (let place?, .null): entries.remove(at: place)
      case (let place?, _):
        entries[place] = .init(
          key: change.key, at: change.keyLocation, value: join(entries[place].value, change.value))
      case (nil, _): entries.append(change)
      }
    }
    return LocatedValue(.mapping(entries), at: own.location)
  }
}

extension Configuration {
  /// Reads a file that may stand in the place of an option, and checks it as it would be checked there.
  ///
  /// - Returns: what is right of it, nil if there is nothing to check; and all problems in the order of the files.
  public static func loadDocument(
    path: String, schema: OptionSchema, environment: (String) -> String? = processEnvironment
  ) -> (options: Options?, problems: [ConfigurationProblem]) {
    withoutActuallyEscaping(environment) { environment in
      let reader = DocumentReader(secrets: SecretSource(environment: environment))
      var problems: [ConfigurationProblem] = []
      var chain: [String] = []
      // Seen from the working directory, in which no file is.
      let place = SourceLocation(file: "")
      guard let value = reader.file(path, at: place, chain: &chain, problems: &problems) else {
        let named = problems.map { problem in
          var problem = problem
          if problem.location.file.isEmpty { problem.location.file = path }
          return problem
        }
        return (nil, inOrder(named, file: path))
      }
      let options = schema.check(value, path: "", problems: &problems)
      return (options, inOrder(problems, file: path))
    }
  }
}
