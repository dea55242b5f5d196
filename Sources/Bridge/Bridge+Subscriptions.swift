import DeviceModel
import EventLoop
import MQTT

/// What the bridge listens to.
extension Bridge {
  /// Makes a client that subscribes to the bridge's own topics; those of the devices follow with them.
  func connect() {
    let client = MQTTClient(settings.broker.settings(topics: topics), handler: self)
    self.client = client
    publisher.client = client
    subscriptions.attach(to: client)
    subscribe(topics.bridgeState, replay: .always)
    subscribe(topics.allBridgeDevices, replay: .always)
    subscribe(topics.allRequests, isCommand: true)
    if let topic = settings.birthTopic { subscribe(topic, replay: .never) }
  }

  func subscribeCommands(_ device: DeviceRuntime) {
    for filter in commandFilters(device) { subscribe(filter, isCommand: true) }
  }

  func commandFilters(_ device: DeviceRuntime) -> [String] {
    topics.commandFilters(device.id, device.description, isRaw: device.setup.kind.isRaw)
  }

  /// Begins to listen to what the device's adapter wants to hear of others.
  func follow(_ device: DeviceRuntime) {
    for topic in device.followedTopics {
      do throws(TopicProblem) {
        subscriptions.follow(
          try TopicFilter(topic.filter), Subscriptions.Follower(device: device.id.text, name: topic.name))
      } catch {
        log.error("\(device.id): cannot listen to '\(topic.filter)': \(error)")
      }
    }
  }

  func unsubscribe(_ filter: String) {
    if let filter = try? TopicFilter(filter) { subscriptions.unsubscribe(filter) }
  }

  func subscribe(_ filter: String, isCommand: Bool = false, replay: RetainedReplay = .always) {
    do throws(TopicProblem) {
      subscriptions.subscribe(try TopicFilter(filter), isCommand: isCommand, replay: replay)
    } catch {
      log.error("cannot subscribe to '\(filter)': \(error)")
    }
  }
}
