public import DeviceModel

extension Rover {
  public static let kind = Kind(
    name: "rover",
    summary:
      "A rover with two motors, driven by sliders, words or a phone's tilt, that stops when its driver is gone.",
    options: OptionSchema([
      .integer(
        "throttle_limit", 1...100, default: 100,
        summary: "The most throttle that is sent, in percent, however it is driven."),
      .integer(
        "steering_limit", 1...100, default: 100, summary: "The most steering that is sent, in percent."),
      .integer("voice_slow", 1...100, default: 40, summary: "Throttle of SLOW FORWARD and SLOW BACKWARD."),
      .integer("voice_normal", 1...100, default: 60, summary: "Throttle of FORWARD and BACKWARD."),
      .integer("voice_fast", 1...100, default: 80, summary: "Throttle of FAST FORWARD and FAST BACKWARD."),
      .integer("voice_steering", 1...100, default: 50, summary: "Steering of LEFT and RIGHT."),
      .integer(
        "profile_slow", 1...100, default: 50,
        summary: "What the speed profile slow makes of a throttle, in percent of it."),
      .integer(
        "profile_fast", 100...500, default: 150, summary: "What the speed profile fast makes of a throttle."),
      .number(
        "full_pitch", 10...70, default: 45, summary: "Degrees of leaning a phone that are full throttle."),
      .number(
        "full_roll", 10...70, default: 45, summary: "Degrees of rolling a phone that are full steering."),
      .number("dead_zone", 0...30, default: 5, summary: "Degrees around neutral that do nothing."),
      .number(
        "neutral_pitch", -90...180, default: 90,
        summary: "How a phone is held when the rover stands: 90 upright, 0 flat with its screen up."),
      .number(
        "neutral_roll", -90...90, default: 0, summary: "The same sideways; positive with its right side down."
      ),
      .duration(
        "attitude_timeout", .milliseconds(200)...(.seconds(60)), default: .seconds(2),
        summary: "A rover driven by a phone's tilt stops after this long without one."),
      .duration(
        "command_timeout", .seconds(1)...(.seconds(86400)), default: .seconds(60),
        summary: "A rover driven by values or words stops after this long without one."),
      .duration(
        "interval", .milliseconds(10)...(.seconds(2)), default: .milliseconds(50),
        summary:
          "Between two packets that are sent; of what comes faster the newest counts. A stop never waits."),
      NewerForm.option,
    ]),
    links: [requirement(.lines)],
    linksOfDevice: { options in [requirement(NewerForm.choice(in: options))] }
  ) { options, problems in
    let settings = RoverSettings(options)
    if settings.slowWord > settings.plainWord || settings.plainWord > settings.fastWord {
      problems.append(
        options.problem(
          "slow is not slower than fast", at: "voice_normal",
          expectation: "voice_slow at most voice_normal, and that at most voice_fast"))
    }
    for (name, full) in [("full_pitch", settings.fullPitch), ("full_roll", settings.fullRoll)]
    where full <= settings.deadZone {
      problems.append(
        options.problem("the dead zone leaves nothing of it", at: name, expectation: "more than dead_zone"))
    }
    return LogicInLines(Rover(settings), choice: NewerForm.choice(in: options))
  }

  /// A classic board takes one command a packet: in a stream a stop could run together with what was sent before.
  private static func requirement(_ form: NewerForm.Choice) -> LinkRequirement {
    var requirement = LinkRequirement(transports: form == .lines ? [.ble, .tcp, .serial] : [.ble])
    requirement.condition = "tcp and serial with 'form: lines' in the options"
    return requirement
  }
}

extension RoverSettings {
  /// What an option lacks is as without options.
  init(_ options: Options) {
    self.init()
    throttleLimit = options.integer("throttle_limit") ?? throttleLimit
    steeringLimit = options.integer("steering_limit") ?? steeringLimit
    slowWord = options.integer("voice_slow") ?? slowWord
    plainWord = options.integer("voice_normal") ?? plainWord
    fastWord = options.integer("voice_fast") ?? fastWord
    steeringWord = options.integer("voice_steering") ?? steeringWord
    slowProfile = options.integer("profile_slow") ?? slowProfile
    fastProfile = options.integer("profile_fast") ?? fastProfile
    fullPitch = options.number("full_pitch") ?? fullPitch
    fullRoll = options.number("full_roll") ?? fullRoll
    deadZone = options.number("dead_zone") ?? deadZone
    neutral.pitch = options.number("neutral_pitch") ?? neutral.pitch
    neutral.roll = options.number("neutral_roll") ?? neutral.roll
    attitudeTimeout = options.duration("attitude_timeout") ?? attitudeTimeout
    commandTimeout = options.duration("command_timeout") ?? commandTimeout
    interval = options.duration("interval") ?? interval
  }
}
