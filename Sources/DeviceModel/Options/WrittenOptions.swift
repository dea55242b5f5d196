extension Options {
  /// What was written, as data that can be shown: without defaults, and with ``Secret``s and what came from `!file` or
  /// `!env` blotted out. Read back by ``LocatedValue/init(written:)``.
  public var written: Value {
    var members = Value.Members()
    for (name, element) in elements.sorted(by: { $0.key < $1.key }) where element.location != nil {
      members[name] = element.isSecret ? .text(OptionValue.blot(nil)) : element.value.written
    }
    return .object(members)
  }

  /// The texts that must not be shown anywhere, those of mappings inside among them.
  public var secrets: [String] {
    elements.values.flatMap { element -> [String] in
      if element.isSecret, case .text(let text) = element.value { return [text] }
      return element.value.secrets
    }
  }
}

extension OptionValue {
  /// Stands for a secret: as long as that where it is known, so that it still has the form of one.
  fileprivate static func blot(_ secret: Secret?) -> String {
    String(repeating: "*", count: secret?.reveal().count ?? 8)
  }

  fileprivate var written: Value {
    switch self {
    case .text(let text): .text(text)
    case .secret(let secret): .text(Self.blot(secret))
    case .boolean(let boolean): .boolean(boolean)
    case .integer(let integer): .integer(integer)
    case .number(let number): .number(number)
    case .duration(let duration): .text(duration.configurationText)
    case .hostPort(let hostPort): .text(hostPort.description)
    case .bluetoothAddress(let address): .text(address.description)
    case .list(let list): .list(list.map(\.written))
    case .object(let options): options.written
    case .map(let map): .object(Value.Members(map.map { ($0.name, $0.value.written) }))
    case .anything(let value): value.written
    }
  }

  fileprivate var secrets: [String] {
    switch self {
    case .secret(let secret): [secret.reveal()]
    case .list(let list): list.flatMap(\.secrets)
    case .object(let options): options.secrets
    case .map(let map): map.flatMap(\.value.secrets)
    case .anything(let value): value.secrets
    default: []
    }
  }
}

extension LocatedValue {
  /// As if `value`, once given by ``Options/written``, stood in a file of this name.
  public init(written value: Value, file: String) {
    let location = SourceLocation(file: file)
    let content: Content =
      switch value {
      case .unknown: .null
      case .text(let text): .scalar(Scalar(text, style: text.isEmpty ? .quoted : .plain))
      case .boolean(let boolean): .scalar(Scalar(boolean ? "true" : "false"))
      case .integer(let integer): .scalar(Scalar(String(integer)))
      case .number(let number): .scalar(Scalar(number.shortest))
      case .list(let list): .sequence(list.map { LocatedValue(written: $0, file: file) })
      case .object(let members):
        .mapping(
          members.pairs.map {
            Entry(key: $0.name, at: location, value: LocatedValue(written: $0.value, file: file))
          })
      }
    self.init(content, at: location)
  }

  fileprivate var written: Value {
    switch content {
    case .null: .unknown
    case .scalar(let scalar): .text(scalar.isSecret ? OptionValue.blot(Secret(scalar.text)) : scalar.text)
    case .sequence(let elements): .list(elements.map(\.written))
    case .mapping(let entries): .object(Value.Members(entries.map { ($0.key, $0.value.written) }))
    }
  }

  fileprivate var secrets: [String] {
    switch content {
    case .null: []
    case .scalar(let scalar): scalar.isSecret ? [scalar.text] : []
    case .sequence(let elements): elements.flatMap(\.secrets)
    case .mapping(let entries): entries.flatMap(\.value.secrets)
    }
  }
}
