import DeviceModel

/// One command for a rover, understood.
enum RoverOrder: Hashable, Sendable {
  case direction(RoverDirection)
  /// 0 is ``stop``.
  case throttle(Int)
  case steering(Int)
  case stop
  case voice(VoiceWord)
  /// `isNeutral`: this is how the phone is held from now on when the rover stands.
  case attitude(PhoneAttitude, isNeutral: Bool)
  /// The last attitude is neutral from now on.
  case neutral
  /// Neutral is what the configuration says.
  case upright
  case driver(isOnline: Bool)
  case stopOnTipping(Bool)
  case profile(SpeedProfile)

  var isStop: Bool {
    switch self {
    case .stop, .voice(.stop), .driver(isOnline: false): true
    default: false
    }
  }

  /// Of driving; nil for what is no driving.
  var way: RoverWay? {
    switch self {
    case .direction, .throttle, .steering: .values
    case .voice: .voice
    case .attitude: .attitude
    default: nil
    }
  }
}

/// How a rover is driven: one way at a time.
enum RoverWay: Hashable, Sendable { case values, voice, attitude }

extension RoverOrder {
  init(_ command: Command, _ description: DeviceDescription) throws(Rejection) {
    guard let property = description[command.property] else {
      throw Rejection(.unknownProperty, "a rover has no property \(command.property)")
    }
    guard property.isSettable else { throw Rejection(.readOnly, "\(command.property) is only read") }
    guard command.verb == .set else {
      throw Rejection(.unsupported, "\(command.property) takes set only, not \(command.verb.rawValue)")
    }
    switch (command.property, command.value) {
    case (RoverProperty.direction, .text(let word)):
      if let direction = RoverDirection(rawValue: word) {
        self = .direction(direction)
        return
      }
    case (RoverProperty.throttle, .number(let number)) where (0...100).contains(number):
      // Never none for some.
      self = number == 0 ? .stop : .throttle(max(1, Int(number.rounded())))
      return
    case (RoverProperty.steering, .number(let number)) where (-100...100).contains(number):
      self = .steering(Int(number.rounded()))
      return
    case (RoverProperty.stop, .unknown):
      self = .stop
      return
    case (RoverProperty.voice, .text(let text)):
      guard let word = VoiceWord(text) else {
        let words = VoiceWord.all.map(\.word).joined(separator: ", ")
        throw Rejection(.invalid, "voice takes one of \(words), not '\(text.excerpt)'")
      }
      self = .voice(word)
      return
    case (RoverProperty.attitude, let value):
      self = try Self.attitude(value)
      return
    case (RoverProperty.driver, .text(let word)):
      guard let isOnline = ["online": true, "offline": false][word.lowercased()] else {
        throw Rejection(.invalid, "driver takes online or offline, not '\(word.excerpt)'")
      }
      self = .driver(isOnline: isOnline)
      return
    case (RoverProperty.stopOnTipping, .boolean(let isOn)):
      self = .stopOnTipping(isOn)
      return
    case (RoverProperty.speedProfile, .text(let word)):
      if let profile = SpeedProfile(rawValue: word) {
        self = .profile(profile)
        return
      }
    default: break
    }
    throw Rejection(.invalid, "\(command.property) does not take \(command.value.briefly.excerpt)")
  }

  private static func attitude(_ value: Value) throws(Rejection) -> RoverOrder {
    switch value {
    case .text(let word) where word.lowercased() == "neutral": return .neutral
    case .text(let word) where word.lowercased() == "upright": return .upright
    case .object(let members):
      let isNeutral: Bool
      switch members["neutral"] {
      case nil, .boolean(false)?: isNeutral = false
      case .boolean(true)?: isNeutral = true
      case let other?: throw Rejection(.invalid, "neutral is true or false, not \(other.briefly.excerpt)")
      }
      return .attitude(try PhoneAttitude(members), isNeutral: isNeutral)
    default:
      throw Rejection(
        .invalid,
        "attitude takes {w, x, y, z}, {pitch, roll}, neutral or upright, not '\(value.briefly.excerpt)'")
    }
  }
}
