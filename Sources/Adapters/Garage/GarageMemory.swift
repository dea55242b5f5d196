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
          (name, ["place": .integer(named.place), "mark": .text(named.mark)])
        }))
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
    if case .object(let names)? = members["names"] {
      for (name, value) in names.pairs.prefix(PINTable.most) {
        guard case .object(let named) = value, case .integer(let place)? = named["place"],
          (1...PINTable.most).contains(place), case .text(let mark)? = named["mark"]
        else { continue }
        self.names[name] = NamedPIN(place: place, mark: mark)
      }
    }
  }

  private static func time(_ value: Value?) -> Timestamp? {
    guard case .integer(let milliseconds)? = value, (0...Int(1e14)).contains(milliseconds) else { return nil }
    return Timestamp(milliseconds: Int64(milliseconds))
  }
}
