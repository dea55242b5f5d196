import DeviceModel

/// What of a board's services its owner wants to see.
struct GATTSettings: Hashable, Sendable {
  /// In the order of the configuration; each characteristic once.
  var characteristics: [DeclaredCharacteristic] = []
  /// The board's maker, model and version are read.
  var readsInformation = false
  var poll = Duration.seconds(60)

  static let schema = OptionSchema([
    .list(
      "services", of: .choice(StandardService.allCases.map(\.rawValue)), count: 0...3,
      summary: "Services of the standard, with all their values that the board has."),
    .list(
      "characteristics", of: .object(AttributeSchema.entry), count: 0...64,
      summary: "Values of your own choice; see below."),
    .duration(
      "poll", .seconds(1)...(.seconds(86400)), default: .seconds(60),
      summary: "How often a value is read that is not notified."),
  ])

  init?(_ options: Options, problems: inout [ConfigurationProblem]) {
    poll = options.duration("poll") ?? poll
    var keys: Set<PropertyKey> = []
    for word in options.texts("services") {
      guard let service = StandardService(rawValue: word) else { continue }
      if service == .deviceInformation { readsInformation = true }
      for standard in service.characteristics {
        let entity = AttributeEntity(standard)
        guard keys.insert(entity.key).inserted else { continue }
        add(entity, of: AttributeID(standard.uuid, of: service.uuid), update: .automatic, isOptional: true)
      }
    }
    for entry in options.objects("characteristics") {
      guard let declared = AttributeSchema.read(entry, problems: &problems) else { continue }
      guard keys.insert(declared.entity.key).inserted else {
        let key = entry.isWritten("key") ? "key" : entry.isWritten("name") ? "name" : "characteristic"
        problems.append(
          entry.problem(
            "the key '\(declared.entity.key)' is taken", at: key, expectation: "a 'key' of its own"))
        continue
      }
      add(declared.entity, of: declared.id, update: declared.update, isOptional: false)
    }
    guard !characteristics.isEmpty || readsInformation else {
      problems.append(
        options.problem(
          "nothing is declared", at: "characteristics", expectation: "a service or a characteristic"))
      return nil
    }
  }

  private mutating func add(
    _ entity: AttributeEntity, of id: AttributeID, update: DeclaredCharacteristic.Update, isOptional: Bool
  ) {
    if let place = characteristics.firstIndex(where: { $0.id == id }) {
      characteristics[place].entities.append(entity)
      if characteristics[place].update == .onConnect { characteristics[place].update = update }
      characteristics[place].isOptional = characteristics[place].isOptional && isOptional
    } else {
      characteristics.append(
        DeclaredCharacteristic(id: id, entities: [entity], update: update, isOptional: isOptional))
    }
  }

  var description: DeviceDescription {
    DeviceDescription(properties: characteristics.flatMap(\.entities).map(\.property))
  }
}

/// One characteristic, with all that is made of it.
struct DeclaredCharacteristic: Hashable, Sendable {
  var id: AttributeID
  var entities: [AttributeEntity]
  var update: Update
  /// It came with a whole service, of which a board has a part only.
  var isOptional: Bool

  enum Update: Hashable, Sendable {
    /// Read once, then notified or, of a board that does not, polled.
    case automatic
    case onConnect
    case poll
    case notify

    static let words: [(String, Update)] = [
      ("auto", .automatic), ("connect", .onConnect), ("poll", .poll), ("notify", .notify),
    ]
  }
}

extension AttributeEntity {
  init(_ standard: StandardCharacteristic) {
    self.init(
      property: Property(
        PropertyKey(stringLiteral: standard.key), name: standard.name,
        .sensor(
          .init(
            unit: standard.unit, deviceClass: standard.deviceClass, stateClass: .measurement,
            precision: standard.decimals)), summary: "By the Bluetooth standard."),
      format: standard.format, scale: standard.scale, unknown: standard.unknown)
  }
}
