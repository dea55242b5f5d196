import DeviceModel
import HomeAssistant
import JSON

@testable import Bridge

extension Subject {
  /// What is remembered reads back as it was written, and names topics of Home Assistant's discovery only.
  static let memory = Subject("memory") { input throws(Violation) in
    guard let value = try? JSON.parse(input) else { return }
    if let record = try? DiscoveryRecord(value) {
      try require((try? DiscoveryRecord(record.value)) == record, "\(record) does not read back")
      for topic in record.topics {
        try require(topic.hasSuffix("/config") && topic.contains("sketch2mqtt_"), "a record of '\(topic)'")
      }
    }
    if let content = TopicMemory.Content(value) {
      try require(TopicMemory.Content(content.value) == content, "\(content) does not read back")
    }
  }
}
