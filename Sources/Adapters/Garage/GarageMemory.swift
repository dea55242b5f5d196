import DeviceModel

/// What a garage door keeps across restarts. No PIN is among it.
struct GarageMemory: Hashable, Sendable {
  struct Person: Hashable, Sendable {
    var homecoming = Homecoming()
    var whereabouts = Whereabouts()
  }

  struct Pulse: Hashable, Sendable {
    var time: Timestamp
    var isDoubtful: Bool
  }

  /// By slug.
  var persons: [String: Person] = [:]
  var pulse: Pulse?
  var lastOpenedBy: String?
  var lastOpened: Timestamp?
  var wrongInARow = 0
  var lockedUntil: Timestamp?
  /// Of PINs, by the names that were given to them.
  var names: [String: NamedPIN] = [:]
  /// ``NamedPIN/keyMark(of:)`` of the configuration by which they were marked.
  var keyMark: String?

  init() {}
}

extension GarageMemory {
  var value: Value {
    var members = Value.Members()
    let persons = self.persons.sorted { $0.key < $1.key }.map { slug, person -> (String, Value) in
      var members = Value.Members()
      members["inside"] = .boolean(person.homecoming.isInside)
      members["since"] = person.homecoming.since.map { .integer(Int($0.milliseconds)) }
      members["phone"] = person.whereabouts.remembered
      return (slug, .object(members))
    }
    members["persons"] = .object(Value.Members(persons))
    members["pulse"] = pulse.map {
      ["at": .integer(Int($0.time.milliseconds)), "doubtful": .boolean($0.isDoubtful)]
    }
    members["last_opened_by"] = lastOpenedBy.map { .text($0) }
    members["last_opened"] = lastOpened.map { .integer(Int($0.milliseconds)) }
    members["wrong"] = .integer(wrongInARow)
    members["locked_until"] = lockedUntil.map { .integer(Int($0.milliseconds)) }
    members["names"] = .object(
      Value.Members(
        names.sorted { $0.key < $1.key }.map { name, named in
          var members = Value.Members([("place", .integer(named.place))])
          members["mark"] = named.mark.map { .text($0) }
          members["coming"] = named.coming.map { .text($0) }
          return (name, .object(members))
        }))
    members["marked_by"] = keyMark.map { .text($0) }
    return .object(members)
  }

  /// Takes what can be read of it; nil for what is no memory at all.
  init?(_ value: Value) {
    guard case .object(let members) = value else { return nil }
    if case .object(let persons)? = members["persons"] {
      for (slug, value) in persons.pairs {
        guard case .object(let members) = value else { continue }
        // Unknown counts as inside.
        let isInside = members["inside"] != false
        self.persons[slug] = Person(
          homecoming: Homecoming(isInside: isInside, since: Self.time(members["since"])),
          whereabouts: Whereabouts(remembered: members["phone"]))
      }
    }
    if case .object(let pulse)? = members["pulse"], let time = Self.time(pulse["at"]) {
      self.pulse = Pulse(time: time, isDoubtful: pulse["doubtful"] == true)
    }
    if case .text(let name)? = members["last_opened_by"] { lastOpenedBy = name }
    lastOpened = Self.time(members["last_opened"])
    if case .integer(let count)? = members["wrong"] { wrongInARow = count }
    lockedUntil = Self.time(members["locked_until"])
    if case .text(let mark)? = members["marked_by"] { keyMark = mark }
    if case .object(let names)? = members["names"] {
      for (name, value) in names.pairs.prefix(PINTable.most) {
        guard let named = Self.named(value) else { continue }
        self.names[name] = named
      }
    }
  }

  /// The place alone, or with its mark.
  private static func named(_ value: Value) -> NamedPIN? {
    var members: Value.Members = ["place": value]
    if case .object(let object) = value { members = object }
    guard case .integer(let place)? = members["place"], (1...PINTable.most).contains(place) else {
      return nil
    }
    func text(_ name: String) -> String? {
      if case .text(let text)? = members[name] { text } else { nil }
    }
    return NamedPIN(place: place, mark: text("mark"), coming: text("coming"))
  }

  private static func time(_ value: Value?) -> Timestamp? {
    guard case .integer(let milliseconds)? = value, (0...Int(1e14)).contains(milliseconds) else { return nil }
    return Timestamp(milliseconds: Int64(milliseconds))
  }
}
