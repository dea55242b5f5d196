import EventLoop

/// A simulated board of the demo, and what a person can do with it.
@Loop protocol DemoBoard: AnyObject {
  /// `a power plug on TCP port 40001`.
  var title: String { get }
  /// Its entry below `devices:`, each line indented by two spaces.
  var configuration: String { get }
  var examples: [DemoExample] { get }
  func stop() async
}

/// A message worth publishing: a line to copy.
struct DemoExample {
  /// Below the base topic.
  let topic: String
  let payload: String

  func command(port: UInt16, base: String) -> String {
    let quoted = payload.contains { !$0.isLetter && !$0.isNumber } ? "'\(payload)'" : payload
    return "mosquitto_pub -p \(port) -t \(base)/\(topic) -m \(quoted)"
  }
}
