import DeviceModel
import EventLoop
@Loop final class DiscoveryPublisher {
  var settings: BridgeSettings
  var remembered = TopicMemory.Content()
  init(_ settings: BridgeSettings, publisher: Publisher, log: Log) { self.settings = settings }
  func update(_ devices: [DeviceRuntime], topics: Topics) {}
}
