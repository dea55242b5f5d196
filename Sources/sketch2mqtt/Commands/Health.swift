import DeviceModel
import JSON

/// `health`: what the bridge of a configuration says of itself, when it runs.
enum Health {
  /// Long enough for a busy machine, short enough for who waits.
  static let limit = Duration.seconds(5)

  static func perform(configuration named: String?) -> ExitStatus {
    BridgeQuestion.perform(configuration: named, "health", [:], within: limit) { answer, _ in
      [JSON.text(of: answer)]
    }
  }
}
