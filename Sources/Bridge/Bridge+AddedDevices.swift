import Configuration
import DeviceModel
import EventLoop

/// Why a device is not taken in, or not let go, in words for who asked.
struct DeviceChangeRefusal: Error, Hashable, CustomStringConvertible {
  var description: String
  init(_ words: String) { description = words }
}

/// Devices that come and go by requests.
///
/// They are kept on the disk and run like those of the configuration, also after a restart and a reload. A device of
/// the configuration with the same id goes first: the added one rests as long as that is there.
extension Bridge {
  /// Takes a device in, from now on and after each restart.
  ///
  /// ```swift
  /// let id = try add(["name": "Keys", "kind": "beacon", "options": ["uuid": .text(uuid)]])
  /// ```
  ///
  /// - Parameter written: What stands below `devices:` in a configuration, with the same keys: `name`, `kind`, and as
  ///   the kind needs `id`, `link`, `options`.
  /// - Returns: the device's id, by which it can be removed.
  /// - Throws: what is wrong with it; or its id is taken, or there are too many devices. Nothing has changed then.
  @discardableResult
  func add(_ written: Value.Members) throws(DeviceChangeRefusal) -> DeviceID {
    guard !isStopping else { throw DeviceChangeRefusal("the bridge is stopping") }
    guard addedDevices.entries.count < AddedDevices.limit else {
      throw DeviceChangeRefusal("\(AddedDevices.limit) devices were added already")
    }
    let (read, problems) = Configuration.device(from: written, kinds: settings.kinds)
    guard let device = read else {
      let errors = problems.filter { $0.severity == .error }.map(\.words)
      throw DeviceChangeRefusal(errors.joined(separator: "\n"))
    }
    if let other = devices[device.id.text] {
      throw DeviceChangeRefusal(
        other.isLeaving
          ? "the device '\(device.id)' is just being let go: try again"
          : "there is a device '\(device.id)' already: '\(other.setup.name)'")
    }
    if addedDevices.devices.contains(where: { $0.id == device.id }) {
      throw DeviceChangeRefusal("a device '\(device.id)' was added already")
    }
    var mistakes: [ConfigurationProblem] = []
    guard settings.setup(for: device, problems: &mistakes) != nil else {
      throw DeviceChangeRefusal(mistakes.map(\.words).joined(separator: "\n"))
    }
    addedDevices.append(device, written)
    settleDevices()
    return device.id
  }

  /// Lets a device go that was added, with all that stands on the broker for it and all that it remembers.
  ///
  /// - Throws: There is none, or it is the configuration's.
  func remove(_ id: DeviceID) throws(DeviceChangeRefusal) {
    guard addedDevices.devices.contains(where: { $0.id == id }) else {
      throw DeviceChangeRefusal(
        devices[id.text] == nil
          ? "no device '\(id)'" : "the device '\(id)' is in the configuration: remove it there")
    }
    addedDevices.remove(id)
    settleDevices()
  }

  /// Answers when the change is on the disk, or the disk has refused it.
  func respondWhenKept(to request: Request, data: Value) {
    guard !addedDevices.file.isJammed else {
      return respond(to: request, error: "the disk does not answer: this is forgotten at the next start")
    }
    addedDevices.file.whenSettled { [weak self] in self?.respond(to: request, data: data) }
  }

  /// Of the configuration and added, as they are to run; what cannot be is logged.
  var wantedDevices: [DeviceSetup] {
    var setups = settings.devices
    let ids = Set(setups.map(\.id))
    for device in addedDevices.devices where !ids.contains(device.id) {
      var problems: [ConfigurationProblem] = []
      let setup = settings.setup(for: device, problems: &problems)
      for problem in problems where problem.severity == .error { log.error("\(device.id): \(problem.words)") }
      if let setup { setups.append(setup) }
    }
    return setups
  }

  /// Says which of the added devices rest.
  func tellRivals() {
    let ids = Set(settings.devices.map(\.id))
    for device in addedDevices.devices where ids.contains(device.id) {
      log.warning("\(device.id): it was added while the bridge ran; the one in the configuration goes first")
    }
  }
}
