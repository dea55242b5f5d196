public import DeviceModel

/// All that Home Assistant should know of one bridge: the bridge itself and its devices.
///
/// A pure rendering of descriptions. Publish ``messages`` after every connection and at Home Assistant's birth
/// message; publish the stages of a ``DiscoveryPlan`` when what should be known has changed.
///
/// Home Assistant sets the components of a device message up one after the other, and while one of them is under
/// way it passes over the later ones of a second message: do not publish the same topic twice in quick succession.
public struct Discovery: Hashable, Sendable {
  /// In the order in which they are to be published: the bridge first, since boards point to it.
  public var messages: [DiscoveryMessage] { announcements.flatMap(\.messages) }
  /// What is left out, and why.
  public private(set) var problems: [Omission] = []
  /// What to remember of this, so that it can be taken back.
  public var record: DiscoveryRecord { DiscoveryRecord(announcements) }

  let announcements: [Announcement]

  public init(of devices: [DiscoverableDevice], settings: DiscoverySettings) {
    guard settings.form != .off else {
      announcements = []
      return
    }
    var announcements = [Announcement(bridgeWith: settings)]
    var uniqueIDs = Set(announcements[0].components.map(\.identity))
    for device in devices {
      var (announcement, problems) = Announcement.of(device, settings: settings)
      // `plug` with the key `a_b` and `plug_a` with the key `b` have one unique id.
      announcement.components.removeAll { component in
        guard !uniqueIDs.insert(component.identity).inserted else { return false }
        problems.append(DiscoveryProblem(component.property, .identityTaken(component.uniqueID)))
        return true
      }
      announcements.append(announcement)
      self.problems += problems.map { Omission(device: device.id, problem: $0) }
    }
    self.announcements = announcements.filter { !$0.components.isEmpty }
  }

  /// What of a description Home Assistant would refuse or misread. Empty for a description that is right.
  public static func problems(in description: DeviceDescription) -> [DiscoveryProblem] {
    var checker = DescriptionChecker()
    for property in description.properties { _ = checker.check(property) }
    _ = checker.check(eventTypes: description.eventTypes)
    return checker.problems
  }

  /// An entity that is not announced.
  public struct Omission: Hashable, Sendable {
    public var device: DeviceID
    public var problem: DiscoveryProblem
  }
}
