public import DeviceModel

/// What to publish, in which order, so that Home Assistant knows what is wanted and nothing else.
///
/// Removes what is gone, without touching the entities that stay: their names, areas and history in Home Assistant
/// live on, also when they move from one form of message to the other.
public struct DiscoveryPlan: Hashable, Sendable {
  /// Messages to publish together, in their order; between two stages at least ``pause``. The last holds all that is
  /// wanted, also what was announced before.
  public let stages: [[DiscoveryMessage]]
  /// To be remembered before the first stage is published: holds good wherever the plan is broken off.
  public let interim: DiscoveryRecord
  /// To be remembered after the last stage.
  public let record: DiscoveryRecord

  /// While Home Assistant takes entities down, it passes over other news about them.
  public static let pause: Duration = .seconds(3)

  /// - Parameters:
  ///   - remembered: What was announced, by this run or an earlier one, with whatever settings.
  ///   - device: Only this one is looked at; nil for all, with the bridge.
  public init(
    from remembered: DiscoveryRecord, to wanted: Discovery, settings: DiscoverySettings,
    device: DeviceID? = nil
  ) {
    let topics = DiscoveryTopics(settings: settings)
    let object = device.map(topics.object)
    let announcements = wanted.announcements.filter { object == nil || $0.object == object }
    let new = DiscoveryRecord(announcements)
    let old = remembered.filter { object == nil || $0.object == object }
    interim = remembered.union(new)
    record = remembered.filter { object != nil && $0.object != object }.union(new)

    var steps = DiscoverySteps(topics: topics, wanted: new)
    for (topic, entry) in old.entries.sorted(by: { $0.key < $1.key }) { steps.leave(topic, entry) }
    stages = steps.stages(endingWith: announcements.flatMap(\.messages))
  }
}
