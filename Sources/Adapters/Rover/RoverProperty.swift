import DeviceModel

/// The rover's properties.
enum RoverProperty {
  static let direction: PropertyKey = "direction"
  static let throttle: PropertyKey = "throttle"
  static let steering: PropertyKey = "steering"
  static let stop: PropertyKey = "stop"
  static let voice: PropertyKey = "voice"
  static let attitude: PropertyKey = "attitude"
  static let driver: PropertyKey = "driver"
  static let tiltX: PropertyKey = "tilt_x"
  static let tiltY: PropertyKey = "tilt_y"
  static let pitch: PropertyKey = "pitch"
  static let roll: PropertyKey = "roll"
  static let tipping: PropertyKey = "tipping"
  static let stopOnTipping: PropertyKey = "stop_on_tipping"
  static let speedProfile: PropertyKey = "speed_profile"

  /// The rover stopped without being told to by its driver; `reason` says why.
  static let stoppedEvent = "stopped"

  static let measured = [tiltX, tiltY, pitch, roll]

  static func description(_ settings: RoverSettings) -> DeviceDescription {
    let acceleration = PropertyKind.Measurement(unit: "m/s²", stateClass: .measurement, precision: 2)
    let angle = PropertyKind.Measurement(unit: "°", stateClass: .measurement, precision: 1)
    let throttleRange = PropertyKind.NumberRange(0...Double(settings.throttleLimit))
    let steeringLimit = Double(settings.steeringLimit)
    return DeviceDescription(
      model: "Rover",
      properties: [
        Property(
          direction, name: "Direction", .select(RoverDirection.allCases.map(\.rawValue)), verbs: [.set],
          icon: "mdi:swap-vertical", isAssumed: true,
          summary:
            "Another direction than now stops the rover first; it stands until there is throttle again."),
        Property(
          throttle, name: "Throttle", .number(throttleRange, .init(unit: "%")), verbs: [.set],
          icon: "mdi:speedometer", isAssumed: true, obeyedWhenRetained: ["0"],
          summary: "As it was commanded; the speed profile scales what is sent. 0 stops and straightens."),
        Property(
          steering, name: "Steering", .number(.init(-steeringLimit...steeringLimit), .init(unit: "%")),
          verbs: [.set], icon: "mdi:steering", isAssumed: true,
          summary: "Positive is right: by so much of the present speed the inner wheel is slowed."),
        Property(
          stop, name: "Stop", .button(), verbs: [.set], icon: "mdi:stop-circle",
          obeyedWhenRetained: ["PRESS"], summary: "Throttle 0, before anything that waits to be sent."),
        Property(
          voice, name: "Voice", .text(maximumLength: 40), verbs: [.set], icon: "mdi:microphone",
          obeyedWhenRetained: ["STOP"],
          summary:
            "One of \(VoiceWord.all.map(\.word).joined(separator: ", ")); case and spaces count for nothing."),
        Property(
          attitude, name: "Attitude", .command, verbs: [.set],
          summary:
            "How a phone is held, {\"w\":…,\"x\":…,\"y\":…,\"z\":…} or {\"pitch\":…,\"roll\":…} in degrees, some"
            + " five times a second. With \"neutral\":true, or as the word neutral alone for the last one, this"
            + " becomes the position in which the rover stands; the word upright makes it upright again."),
        Property(
          driver, name: "Driver", .command, verbs: [.set], obeyedWhenRetained: ["offline"],
          summary:
            "online or offline. A driver's program that leaves offline here as its will stops the rover"
            + " when it dies."),
        Property(
          tiltX, name: "Tilt across", .sensor(acceleration), icon: "mdi:axis-x-arrow",
          summary: "Acceleration across the rover; a level one reads 0."),
        Property(
          tiltY, name: "Tilt along", .sensor(acceleration), icon: "mdi:axis-y-arrow",
          summary: "Acceleration along the rover."),
        Property(
          pitch, name: "Pitch", .sensor(angle), icon: "mdi:angle-acute",
          summary: "The tilt along the rover as an angle."),
        Property(
          roll, name: "Roll", .sensor(angle), icon: "mdi:angle-acute",
          summary: "The tilt across the rover as an angle."),
        Property(
          tipping, name: "Tipping", .binarySensor(deviceClass: "problem"),
          summary: "Either tilt is beyond ±1.5 m/s²."),
        Property(
          stopOnTipping, name: "Stop on tipping", .switch(), verbs: [.set], category: .config,
          icon: "mdi:car-brake-alert",
          summary: "Stops the rover when it begins to tip. OFF until it is set; kept."),
        Property(
          speedProfile, name: "Speed profile", .select(SpeedProfile.allCases.map(\.rawValue)), verbs: [.set],
          category: .config, icon: "mdi:car-speed-limiter",
          summary: "Scales the throttle that is sent. normal until it is set; kept."),
      ],
      eventTypes: [stoppedEvent])
  }
}
