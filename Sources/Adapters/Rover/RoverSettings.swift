/// What the owner may set of a rover. Percent and degrees.
struct RoverSettings: Hashable, Sendable {
  /// More is never sent, however it is driven.
  var throttleLimit = 100
  var steeringLimit = 100
  /// Of the words SLOW FORWARD, FORWARD and FAST FORWARD, and of those backward.
  var slowWord = 40
  var plainWord = 60
  var fastWord = 80
  /// Of the words LEFT and RIGHT.
  var steeringWord = 50
  /// Of the profiles slow and fast, in percent of what is commanded.
  var slowProfile = 50
  var fastProfile = 150

  /// From the neutral position, for all of the throttle and all of the steering.
  var fullPitch = 45.0
  var fullRoll = 45.0
  var deadZone = 5.0
  var neutral = PhoneAttitude.upright

  /// For how long a rover drives on after the last attitude, and after the last command of another kind.
  var attitudeTimeout = Duration.seconds(2)
  var commandTimeout = Duration.seconds(60)
  /// Between two packets, on average, of what the board is told to do; a stop is told at once.
  var interval = Duration.milliseconds(50)

  func throttle(of word: VoiceWord.Speed) -> Int {
    switch word {
    case .slow: min(slowWord, throttleLimit)
    case .plain: min(plainWord, throttleLimit)
    case .fast: min(fastWord, throttleLimit)
    }
  }

  /// What is sent for `throttle`: never nothing when something is wanted.
  func power(of throttle: Int, _ profile: SpeedProfile) -> Int {
    guard throttle > 0 else { return 0 }
    let share =
      switch profile {
      case .slow: slowProfile
      case .normal: 100
      case .fast: fastProfile
      }
    return min(max(1, throttle * share / 100), throttleLimit)
  }
}

enum SpeedProfile: String, Hashable, Sendable, CaseIterable {
  case slow, normal, fast
}
