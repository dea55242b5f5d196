import CMosquitto
import EventLoop

/// What goes through an open connection.
extension MQTTClient {
  /// Publishes without a look at the limit.
  ///
  /// - Returns: the message's number when an acknowledgement is to come.
  func send(
    _ payload: UnsafeRawBufferPointer, to topic: String, qos: QualityOfService, retain: Bool,
    properties: MessageProperties?, through handle: MosquittoHandle
  ) -> (result: PublishResult, awaited: Int32?) {
    let properties = version == .v5 ? properties : nil
    if qos == .atMostOnce { outstanding.sending() }
    let (code, id) = handle.publish(payload, to: topic, qos: qos, retain: retain, properties: properties)
    // A broker may offer less than QoS 2 (MQTT 5).
    if code == MOSQ_ERR_QOS_NOT_SUPPORTED.code, let less = QualityOfService(rawValue: qos.rawValue - 1) {
      return send(payload, to: topic, qos: less, retain: retain, properties: properties, through: handle)
    }
    let result = Self.result(of: code)
    switch (result, qos) {
    case (.accepted, .atMostOnce): break
    case (.accepted, _):
      outstanding.awaitAcknowledgement(of: id)
      refusedPublishes.sent(id, to: topic)
    case (_, .atMostOnce): outstanding.notTaken()
    default: break
    }
    counters.queued = outstanding.total
    if result == .accepted {
      counters.published += 1
    } else {
      counters.refused += 1
      counters.lastError = "publish: \(MosquittoLibrary.words(for: code))"
      if result == .tooLarge { tell(of: refusedPublishes.news(on: topic), .packetTooLarge) }
    }
    return (result, result == .accepted && qos != .atMostOnce ? id : nil)
  }

  /// A message that the library has queued stays queued when the connection turns out to be broken.
  private static func result(of code: Int32) -> PublishResult {
    switch code {
    case MOSQ_ERR_SUCCESS.code, MOSQ_ERR_CONN_LOST.code, MOSQ_ERR_ERRNO.code, MOSQ_ERR_NO_CONN.code: .accepted
    case MOSQ_ERR_PAYLOAD_SIZE.code, MOSQ_ERR_OVERSIZE_PACKET.code: .tooLarge
    case MOSQ_ERR_MALFORMED_UTF8.code: .invalidTopic
    default: .failed
    }
  }

  func request(_ subscription: Subscription) {
    guard let handle else { return }
    let (code, id) = handle.subscribe(subscription, version: version)
    if code == MOSQ_ERR_SUCCESS.code {
      pendingSubscriptions[id] = subscription.filter
    } else {
      counters.lastError = "subscribe \(subscription.filter): \(MosquittoLibrary.words(for: code))"
    }
  }

  /// Runs inside the library, which must not be called from here.
  func finished(_ id: Int32, reason: Int32) {
    outstanding.finished(id)
    counters.queued = outstanding.total
    if reason >= 0x80 {
      let refusal = Refusal(code: UInt8(truncatingIfNeeded: reason))
      counters.declined += 1
      counters.lastError = "publish: \(refusal)"
      tell(of: refusedPublishes.news(of: id), refusal)
    }
    if isFull, outstanding.total <= settings.outgoingLimit / 2 {
      isFull = false
      Loop.atTurnEnd { [weak self] in
        if let self, isConnected { handler?.mqttNoticed(.hasRoom) }
      }
    }
    stopping?.finished(id)
  }

  /// Later, as whoever hears of it may publish.
  private func tell(of topic: String?, _ refusal: Refusal) {
    guard let topic else { return }
    Loop.atTurnEnd { [weak self] in self?.handler?.mqttNoticed(.publishRefused(topic: topic, refusal)) }
  }

  func subscribed(_ id: Int32, granted: Int32) {
    guard let filter = pendingSubscriptions.removeValue(forKey: id), granted >= 0x80 else { return }
    let refusal = Refusal(code: UInt8(truncatingIfNeeded: granted))
    counters.lastError = "subscribe \(filter): \(refusal)"
    let isNews = refusedSubscriptions.add(filter)
    if refusedSubscriptions.timer == nil {
      refusedSubscriptions.timer = LoopTimer(after: refusedSubscriptions.pause()) { [weak self] in
        self?.requestRefused()
      }
    }
    if isNews { handler?.mqttNoticed(.subscriptionRefused(filter, refusal)) }
  }

  private func requestRefused() {
    refusedSubscriptions.timer = nil
    guard isConnected else { return }
    let filters = refusedSubscriptions.takeAll()
    for subscription in subscriptions where filters.contains(subscription.filter) { request(subscription) }
  }

  func received(_ message: Message) {
    counters.received += 1
    handler?.mqttReceived(message)
  }

  func oversized(_ bytes: Int, on topic: String) {
    counters.oversized += 1
    counters.lastError = "a message of \(bytes) bytes is larger than \(settings.payloadLimit)"
    handler?.mqttNoticed(.dropped(bytes: bytes, topic: topic))
  }
}
