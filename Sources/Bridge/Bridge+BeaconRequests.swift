import Configuration
import DeviceModel
import EventLoop

/// `beacon/…`: items that come and go while the bridge runs.
extension Bridge {
  static let beaconRequestNames = ["beacon/add", "beacon/remove", "beacon/list"]

  private static let kind = "beacon"
  /// What is the device's and no option of its kind.
  private static let ofDevice = ["name", "id", "area", "icon"]

  func askBeacons(_ request: Request) {
    // Each change is written to the disk and told of in full: what is due for other devices would wait for a flood.
    let isChange = request.name != "beacon/list"
    if isChange, !itemChanges.takeAtOnce(at: .nanoseconds(MonotonicTime.now.nanoseconds)) {
      return respond(to: request, error: "too many items change at once: ask again in a second")
    }
    if isChange, addedDevices.file.isJammed {
      return respond(to: request, error: "the disk does not answer: nothing can be kept")
    }
    switch request.name {
    case "beacon/add": addBeacon(request)
    case "beacon/remove": removeBeacon(request)
    default: respond(to: request, data: ["beacons": .list(beacons)])
    }
  }

  private func addBeacon(_ request: Request) {
    var written = Value.Members([("kind", .text(Self.kind))])
    var options = Value.Members()
    for (name, value) in request.members.pairs where name != "transaction" && value != .unknown {
      if Self.ofDevice.contains(name) { written[name] = value } else { options[name] = value }
    }
    written["options"] = .object(options)
    do throws(DeviceChangeRefusal) {
      let id = try add(written)
      respondWhenKept(to: request, data: ["device": .text(id.text)])
    } catch {
      respond(to: request, error: error.description)
    }
  }

  /// By its name or its id.
  private func removeBeacon(_ request: Request) {
    guard case .text(let word)? = request.members["name"] ?? request.members["device"] else {
      return respond(to: request, error: "'name' is missing: the name or the id of an item is expected")
    }
    let found = order.compactMap { devices[$0.text] }.first {
      $0.setup.kind.name == Self.kind && ($0.setup.name == word || $0.id.text == word)
    }
    guard let found else {
      let names = order.compactMap { devices[$0.text] }.filter { $0.setup.kind.name == Self.kind }
        .map(\.setup.name)
      let near = nearestName(to: word, among: names).map { "; did you mean '\($0)'?" } ?? ""
      return respond(to: request, error: "no item '\(word.excerpt)'\(near)")
    }
    do throws(DeviceChangeRefusal) {
      try remove(found.id)
      respondWhenKept(to: request, data: ["device": .text(found.id.text)])
    } catch {
      respond(to: request, error: error.description)
    }
  }

  private var beacons: [Value] {
    order.compactMap { devices[$0.text] }.filter { $0.setup.kind.name == Self.kind }.map { device in
      let added = addedDevices.entries.first { $0.device?.id == device.id }
      var members = Value.Members([
        ("device", .text(device.id.text)), ("name", .text(device.setup.name)),
        ("added", .boolean(added != nil)),
        ("presence", device.state["presence"]),
      ])
      if case .object(let options)? = added?.written["options"] {
        for (name, value) in options.pairs { members[name] = value }
      }
      return .object(members)
    }
  }
}
