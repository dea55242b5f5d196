import DeviceModel

extension LineForm {
  /// All that a board has said of itself, held against its token.
  struct Board: Hashable, Sendable {
    let hello: Hello
    /// As they came, by index.
    let descriptions: [[UInt8]]
    /// What of them can be used, by index.
    let entities: [Int: Entity]
    /// What is wrong with the others, a sentence each.
    let problems: [String]
    /// What it all means to the bridge.
    let description: DeviceDescription

    init(_ hello: Hello, descriptions: [[UInt8]]) {
      self.hello = hello
      self.descriptions = descriptions
      var entities: [Int: Entity] = [:]
      var problems: [String] = []
      var properties: [Property] = []
      var keys: Set<String> = []
      for (index, body) in descriptions.enumerated() {
        do throws(Malformation) {
          let entity = try Entity(body)
          guard keys.insert(entity.key).inserted else {
            throw .malformed("entity \(index): the key \(entity.key) is there already")
          }
          guard let key = PropertyKey(entity.key) else {
            throw .malformed(
              "entity \(index): the key \(entity.key) is taken by a topic of the device itself")
          }
          guard var property = entity.property(key) else {
            problems.append("entity \(index), \(entity.key), is of a kind that is not known here")
            continue
          }
          if property.name == nil, properties.contains(where: { $0.name == nil }) {
            property.name = entity.key
          }
          entities[index] = entity
          properties.append(property)
        } catch {
          problems.append(error.description)
        }
      }
      self.entities = entities
      self.problems = problems
      description = DeviceDescription(
        manufacturer: hello.manufacturer, model: hello.model, softwareVersion: hello.version,
        properties: properties)
    }

    var isWhole: Bool { Token(hello: hello.body, descriptions: descriptions) == hello.token }

    func entity(_ key: PropertyKey) -> Entity? { entities.values.first { $0.key == key.text } }
  }
}

extension LineForm.Board {
  /// For ``Output/remember(_:)``.
  var remembered: Value {
    [
      "hello": .text(String(decoding: hello.body, as: UTF8.self)),
      "descriptions": .list(descriptions.map { .text(String(decoding: $0, as: UTF8.self)) }),
    ]
  }

  /// Nil for what does not match its own token.
  init?(remembered: Value) {
    guard case .object(let members) = remembered, case .text(let hello)? = members["hello"],
      case .list(let list)? = members["descriptions"], list.count <= LineForm.mostEntities,
      let parsed = try? LineForm.Hello(Array(hello.utf8))
    else { return nil }
    var bodies: [[UInt8]] = []
    for case .text(let text) in list { bodies.append(Array(text.utf8)) }
    self.init(parsed, descriptions: bodies)
    guard bodies.count == parsed.count, isWhole else { return nil }
  }
}
