import CMosquitto
import EventLoop
import Glibc

/// The functions that libmosquitto calls. All but the log come only from within a call that the loop makes.
enum MosquittoCallbacks {
  static func install(on pointer: OpaquePointer) {
    mosquitto_connect_v5_callback_set(pointer, connectCallback)
    mosquitto_disconnect_v5_callback_set(pointer, disconnectCallback)
    mosquitto_publish_v5_callback_set(pointer, publishCallback)
    mosquitto_message_v5_callback_set(pointer, messageCallback)
    mosquitto_subscribe_v5_callback_set(pointer, subscribeCallback)
  }

  static func setLogging(_ isOn: Bool, on pointer: OpaquePointer) {
    mosquitto_log_callback_set(pointer, isOn ? logCallback : nil)
  }

  /// Without it OpenSSL asks for the password of an encrypted key at the terminal.
  static let password:
    @convention(c) (UnsafeMutablePointer<CChar>?, Int32, Int32, UnsafeMutableRawPointer?) -> Int32 =
      passwordCallback
}

private func handle(_ context: UnsafeMutableRawPointer?) -> MosquittoHandle? {
  context.map { Unmanaged<MosquittoHandle>.fromOpaque($0).takeUnretainedValue() }
}

private func connectCallback(
  _: OpaquePointer?, context: UnsafeMutableRawPointer?, code: Int32, flags: Int32,
  properties: OpaquePointer?
) {
  guard let handle = handle(context) else { return }
  var isAvailable: UInt8 = 1
  mosquitto_property_read_byte(properties, MQTT_PROP_RETAIN_AVAILABLE.code, &isAvailable, false)
  var hasNumbers: UInt8 = 1
  mosquitto_property_read_byte(properties, MQTT_PROP_SUBSCRIPTION_ID_AVAILABLE.code, &hasNumbers, false)
  let answer = MosquittoAnswer(
    code: code, keepsRetained: isAvailable != 0, numbersSubscriptions: hasNumbers != 0)
  Loop.assumeIsolated { handle.answered(answer) }
}

private func disconnectCallback(
  _: OpaquePointer?, context: UnsafeMutableRawPointer?, code: Int32, _: OpaquePointer?
) {
  guard let handle = handle(context) else { return }
  Loop.assumeIsolated { handle.finish(code) }
}

private func publishCallback(
  _: OpaquePointer?, context: UnsafeMutableRawPointer?, id: Int32, code: Int32, _: OpaquePointer?
) {
  guard let handle = handle(context) else { return }
  Loop.assumeIsolated { handle.owner?.mosquitto(handle, .published(id, reason: code)) }
}

private func subscribeCallback(
  _: OpaquePointer?, context: UnsafeMutableRawPointer?, id: Int32, count: Int32,
  granted: UnsafePointer<Int32>?,
  _: OpaquePointer?
) {
  guard let handle = handle(context), count > 0, let first = granted?.pointee else { return }
  Loop.assumeIsolated { handle.owner?.mosquitto(handle, .subscribed(id, granted: first)) }
}

private func messageCallback(
  _: OpaquePointer?, context: UnsafeMutableRawPointer?, raw: UnsafePointer<mosquitto_message>?,
  properties: OpaquePointer?
) {
  guard let handle = handle(context), let raw = raw?.pointee, let topic = raw.topic else { return }
  let length = Int(raw.payloadlen)
  let event: MosquittoEvent
  if length > handle.payloadLimit {
    event = .oversized(topic: String(cString: topic), bytes: length)
  } else {
    let payload = UnsafeRawBufferPointer(start: raw.payload, count: raw.payload == nil ? 0 : length)
    event = .received(
      Message(
        topic: String(cString: topic), payload: Array(payload),
        qos: QualityOfService(rawValue: UInt8(truncatingIfNeeded: raw.qos)) ?? .atMostOnce,
        isRetained: raw.retain,
        properties: properties.map { MessageProperties($0) } ?? MessageProperties(),
        subscriptions: properties.map { PropertyList.subscriptions(in: $0) } ?? []))
  }
  Loop.assumeIsolated { handle.owner?.mosquitto(handle, event) }
  // The library stops reading when it finds EAGAIN here, whoever left it.
  errno = 0
}

private func logCallback(
  _: OpaquePointer?, context: UnsafeMutableRawPointer?, level: Int32, text: UnsafePointer<CChar>?
) {
  guard level == MOSQ_LOG_ERR, let handle = handle(context), let text else { return }
  handle.log.append(String(cString: text))
}

private func passwordCallback(
  _: UnsafeMutablePointer<CChar>?, _: Int32, _: Int32, _: UnsafeMutableRawPointer?
) -> Int32 { 0 }
