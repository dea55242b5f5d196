/// The translation of one device's traffic, as a pure state machine.
///
/// A value that takes one input and the time and appends what it wants done. It does no I/O, keeps no clock and
/// starts no task; any input at any time is lawful, any bytes and any command, and at worst is answered by an
/// output that says what was wrong. It is given commands already checked against its description.
public protocol Adapter: Sendable {
  /// What the device is before it has said anything.
  var description: DeviceDescription { get }

  /// Topics of others that it listens to, ``Input/message(_:)``; the same as long as it lives. None by default.
  var followedTopics: [FollowedTopic] { get }

  /// Which advertisements it is given, ``Input/advertisement(_:)``; not each comes with its strength. Nothing by default.
  var advertisementInterest: AdvertisementInterest { get }

  /// Whether it has more to say after ``Input/stopping``: the bridge waits for it, two seconds at most. False by default.
  var hasLastWords: Bool { get }

  /// `outputs` is kept between calls for its storage; append only.
  mutating func handle(_ input: Input, at now: Moment, into outputs: inout [Output])
}

extension Adapter {
  public var followedTopics: [FollowedTopic] { [] }
  public var advertisementInterest: AdvertisementInterest { .nothing }
  public var hasLastWords: Bool { false }

  /// Whether it is given any advertisements.
  public var hearsAdvertisements: Bool { advertisementInterest != .nothing }
}
