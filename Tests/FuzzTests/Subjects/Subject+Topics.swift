import CMosquitto
import DeviceModel
import MQTT

@testable import Bridge

extension Subject {
  /// A filter matches what the client library says that it matches; a topic of ours leads back to itself.
  static let topics = Subject("topics") { input throws(Violation) in
    let parts = input.split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false)
    let topic = String(decoding: parts[0], as: UTF8.self)
    let filterText = parts.count > 1 ? String(decoding: parts[1], as: UTF8.self) : "sketch2mqtt/+/set"
    try checkDestination(of: topic)
    let filter = try? TopicFilter(filterText)
    let isFilter =
      !filterText.isEmpty && !filterText.utf8.contains(0)
      && mosquitto_sub_topic_check(filterText) == MOSQ_ERR_SUCCESS.code
    try require(
      (filter != nil) == isFilter, "the filter '\(filterText)' is \(filter == nil ? "refused" : "taken")")
    let problem = TopicName.problem(with: topic)
    let isTopic =
      !topic.isEmpty && !topic.utf8.contains(0) && mosquitto_pub_topic_check(topic) == MOSQ_ERR_SUCCESS.code
    try require(
      (problem == nil) == isTopic, "the topic '\(topic)' is \(problem == nil ? "taken" : "refused")")
    guard let filter, isTopic else { return }
    var matches = false
    guard mosquitto_topic_matches_sub(filterText, topic, &matches) == MOSQ_ERR_SUCCESS.code else { return }
    try require(
      filter.matches(topic) == matches, "'\(filterText)' and '\(topic)': the library says \(matches)")
  }

  private static func checkDestination(of topic: String) throws(Violation) {
    let topics = Topics(base: "sketch2mqtt", bridge: "main")
    let again: String
    switch topics.destination(of: topic) {
    case .set(let device): again = "sketch2mqtt/\(device)/set"
    case .get(let device): again = "sketch2mqtt/\(device)/get"
    case .transmit(let device): again = "sketch2mqtt/\(device)/tx"
    case .property(let device, let key, let verb): again = "sketch2mqtt/\(device)/\(key)/\(verb.rawValue)"
    case .ownState: again = topics.bridgeState
    case .request(let name): again = topics.request(name)
    case .devices(let bridge): again = "sketch2mqtt/bridge/\(bridge)/devices"
    case nil: return
    }
    try require(again == topic, "'\(topic)' is taken for '\(again)'")
  }
}

extension mosq_err_t {
  fileprivate var code: Int32 { Int32(rawValue) }
}
