import DeviceModel

extension ConfigurationCheck {
  mutating func devices(_ list: [Options]) -> [Configuration.Device] {
    var devices: [Configuration.Device] = []
    var owners: [DeviceID: Options] = [:]
    for options in list {
      var kind = kind(options)
      let kindOptions = kindOptions(options, kind: kind)
      kind = kind?.tailored(to: kindOptions)
      let links = links(options, kind: kind)
      guard let id = id(options) else { continue }
      if let other = owners[id] {
        problems.append(collision(of: options, with: other, id: id))
      } else {
        owners[id] = options
      }
      devices.append(
        Configuration.Device(
          name: options.text("name") ?? "", id: id, kind: kind?.name ?? "", links: links,
          options: kindOptions,
          area: options.text("area"), icon: options.text("icon"),
          showsLastSeen: options.boolean("last_seen") ?? false, showsRSSI: options.boolean("rssi") ?? false,
          showsReconnects: options.boolean("reconnects") ?? false,
          filters: filters(options.object("filters")), location: options.location))
    }
    warnAboutSharedBoards(devices)
    return devices
  }

  private mutating func kind(_ options: Options) -> Kind? {
    guard let name = options.text("kind") else { return nil }
    if let kind = kinds[name] { return kind }
    problems.append(
      options.problem(
        "\(options.quoted("kind")) is no known kind", at: "kind",
        expectation: "one of \(kindNames.joined(separator: ", "))",
        suggestion: nearestName(to: name, among: kindNames)))
    return nil
  }

  /// Nothing is known about the options of an unknown kind.
  private mutating func kindOptions(_ options: Options, kind: Kind?) -> Options {
    let schema = kind?.options ?? .empty
    let written = kind == nil ? nil : options.anything("options")
    var unreadable: [ConfigurationProblem] = []
    var wrong: [ConfigurationProblem] = []
    let checked = schema.check(
      written.map { documents.putIn($0, schema, problems: &unreadable) }, path: options.path(of: "options"),
      location: options.location, problems: &wrong)
    // Of a document that could not be had it need not be said that its keys are missing.
    let places = Set(unreadable.map(\.location))
    problems += unreadable + wrong.filter { !places.contains($0.location) }
    return checked
  }

  private mutating func id(_ options: Options) -> DeviceID? {
    let key = options.isWritten("id") ? "id" : "name"
    guard let text = options.text(key) else { return nil }
    guard let slug = Slug(of: text) else {
      problems.append(
        options.problem("no letter or digit for a topic", at: key, expectation: "an 'id' beside it"))
      return nil
    }
    guard let id = DeviceID(slug) else {
      problems.append(
        options.problem(
          "the topic 'bridge' is the bridge's own", at: key,
          expectation: key == "id" ? "another id" : "an 'id' beside it"))
      return nil
    }
    return id
  }

  private func collision(of options: Options, with other: Options, id: DeviceID) -> ConfigurationProblem {
    let key = options.isWritten("id") ? "id" : "name"
    let otherKey = other.isWritten("id") ? "id" : "name"
    let shown = options.isSecret(key) || other.isSecret(otherKey) ? "its id" : "the id '\(id)'"
    return options.problem(
      "\(shown) is already that of \(other.path) in line \(other.location(of: otherKey).line)", at: key,
      expectation: "an 'id' of its own")
  }

  private mutating func filters(_ options: Options?) -> Configuration.Device.Filters {
    var properties: [PropertyKey: Configuration.Device.Filter] = [:]
    for named in options?.map("properties") ?? [] {
      guard case .object(let own) = named.value else { continue }
      guard let key = PropertyKey(named.name) else {
        problems.append(own.reservedKey)
        continue
      }
      properties[key] = filter(own)
    }
    return .init(common: filter(options), properties: properties)
  }

  private func filter(_ options: Options?) -> Configuration.Device.Filter {
    .init(
      minimumChange: options?.number("minimum_change"), minimumInterval: options?.duration("minimum_interval")
    )
  }

  /// Most boards serve one client only, and no answer belongs to both.
  private mutating func warnAboutSharedBoards(_ devices: [Configuration.Device]) {
    var owners: [Configuration.Link.Target: Configuration.Link] = [:]
    for link in devices.flatMap(\.links) {
      switch link.target {
      case .udp, .capture: continue
      case .tcp, .serial, .ble: break
      }
      guard let owner = owners.updateValue(link, forKey: link.target) else { continue }
      problems.append(
        ConfigurationProblem(
          "the same board as in line \(owner.location.line)", at: link.location,
          expectation: "one device for a board", severity: .warning))
    }
  }
}

extension Options {
  fileprivate var reservedKey: ConfigurationProblem {
    ConfigurationProblem(
      "no property can have this name", at: location, path: path, expectation: "the key of a property")
  }
}
