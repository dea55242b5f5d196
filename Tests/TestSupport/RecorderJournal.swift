import CMosquitto
import Glibc
import Synchronization

/// What a recorder's thread writes down.
final class RecorderJournal: Sendable {
  let messages = Inbox<RecordedMessage>("the recorded messages")
  let acknowledged = Inbox<Int32>("the acknowledged publishes")
  let progress = Inbox<Progress>("the recorder's connection")
  let isGone = Mutex(false)

  enum Progress: Equatable, Sendable {
    case connected(Int32)
    case subscribed
    case disconnected
  }

  static func install(on pointer: OpaquePointer) {
    mosquitto_connect_v5_callback_set(pointer, recorderConnected)
    mosquitto_disconnect_v5_callback_set(pointer, recorderDisconnected)
    mosquitto_subscribe_v5_callback_set(pointer, recorderSubscribed)
    mosquitto_message_v5_callback_set(pointer, recorderReceived)
    mosquitto_publish_v5_callback_set(pointer, recorderPublished)
  }
}

private func journal(_ context: UnsafeMutableRawPointer?) -> RecorderJournal? {
  context.map { Unmanaged<RecorderJournal>.fromOpaque($0).takeUnretainedValue() }
}

private func recorderConnected(
  _: OpaquePointer?, context: UnsafeMutableRawPointer?, code: Int32, _: Int32, _: OpaquePointer?
) { journal(context)?.progress.append(.connected(code)) }

private func recorderDisconnected(
  _: OpaquePointer?, context: UnsafeMutableRawPointer?, _: Int32, _: OpaquePointer?
) { journal(context)?.progress.append(.disconnected) }

private func recorderSubscribed(
  _: OpaquePointer?, context: UnsafeMutableRawPointer?, _: Int32, _: Int32, _: UnsafePointer<Int32>?,
  _: OpaquePointer?
) { journal(context)?.progress.append(.subscribed) }

private func recorderPublished(
  _: OpaquePointer?, context: UnsafeMutableRawPointer?, id: Int32, _: Int32, _: OpaquePointer?
) { journal(context)?.acknowledged.append(id) }

private func recorderReceived(
  _: OpaquePointer?, context: UnsafeMutableRawPointer?, raw: UnsafePointer<mosquitto_message>?,
  properties: OpaquePointer?
) {
  guard let raw = raw?.pointee, let topic = raw.topic else { return }
  let payload = UnsafeRawBufferPointer(
    start: raw.payload, count: raw.payload == nil ? 0 : Int(raw.payloadlen))
  var message = RecordedMessage(
    topic: String(cString: topic), payload: Array(payload), qos: Int(raw.qos), isRetained: raw.retain)
  var text: UnsafeMutablePointer<CChar>?
  if mosquitto_property_read_string(properties, Int32(MQTT_PROP_RESPONSE_TOPIC.rawValue), &text, false)
    != nil,
    let text
  {
    message.responseTopic = String(cString: text)
    free(text)
  }
  var data: UnsafeMutableRawPointer?
  var count: UInt16 = 0
  if mosquitto_property_read_binary(
    properties, Int32(MQTT_PROP_CORRELATION_DATA.rawValue), &data, &count, false) != nil
  {
    message.correlationData = Array(UnsafeRawBufferPointer(start: data, count: data == nil ? 0 : Int(count)))
    free(data)
  }
  journal(context)?.messages.append(message)
}
