import CMosquitto
import Glibc
import Synchronization

/// An independent client, on libmosquitto's own thread: records what it subscribed to, publishes what a test says.
public final class MQTTRecorder: Sendable {
  /// All messages in their order. A message published as retained just now carries the flag too (MQTT 5).
  public let messages = Inbox<RecordedMessage>("the recorded messages")
  private let acknowledged = Inbox<Int32>("the acknowledged publishes")
  private let progress = Inbox<Progress>("the recorder's connection")
  private let address: UInt
  private let isGone = Mutex(false)

  private enum Progress: Equatable, Sendable {
    case connected(Int32)
    case subscribed
    case disconnected
  }

  /// Connected and subscribed when this returns.
  public init(
    port: UInt16, subscribingTo filters: [String] = ["#"], version5: Bool = true, clientID: String? = nil,
    username: String? = nil, password: String? = nil
  ) async throws {
    _ = Self.isLibraryReady
    guard let pointer = mosquitto_new(clientID, true, nil) else { throw SystemFailure("mosquitto_new") }
    address = UInt(bitPattern: pointer)
    mosquitto_user_data_set(pointer, Unmanaged.passUnretained(self).toOpaque())
    mosquitto_int_option(
      pointer, MOSQ_OPT_PROTOCOL_VERSION, version5 ? MQTT_PROTOCOL_V5 : MQTT_PROTOCOL_V311)
    mosquitto_int_option(pointer, MOSQ_OPT_TCP_NODELAY, 1)
    if let username { mosquitto_username_pw_set(pointer, username, password) }
    mosquitto_connect_v5_callback_set(pointer, recorderConnected)
    mosquitto_disconnect_v5_callback_set(pointer, recorderDisconnected)
    mosquitto_subscribe_v5_callback_set(pointer, recorderSubscribed)
    mosquitto_message_v5_callback_set(pointer, recorderReceived)
    mosquitto_publish_v5_callback_set(pointer, recorderPublished)
    try check(mosquitto_connect_bind_v5(pointer, "127.0.0.1", Int32(port), 60, nil, nil), "connect")
    try check(mosquitto_loop_start(pointer), "loop")
    try await progress.first { $0 == .connected(0) }
    for filter in filters { try await subscribe(to: filter) }
  }

  deinit { disconnect() }

  /// Says goodbye. Safe to repeat.
  public func disconnect() {
    let wasGone = isGone.withLock { isGone in
      defer { isGone = true }
      return isGone
    }
    guard !wasGone, let pointer else { return }
    mosquitto_disconnect(pointer)
    mosquitto_loop_stop(pointer, false)
    mosquitto_destroy(pointer)
  }

  public func subscribe(to filter: String) async throws {
    let seen = progress.count
    // MQTT 5's 'retain as published'.
    try check(mosquitto_subscribe_v5(pointer, nil, filter, 2, 0x08, nil), "subscribe")
    try await progress.first(from: seen) { $0 == .subscribed }
  }

  /// Acknowledged by the broker when this returns (QoS 0: sent).
  public func publish(
    _ text: String, to topic: String, qos: Int32 = 1, retain: Bool = false, responseTopic: String? = nil,
    correlationData: [UInt8]? = nil
  ) async throws {
    try await publish(
      Array(text.utf8), to: topic, qos: qos, retain: retain, responseTopic: responseTopic,
      correlationData: correlationData)
  }

  public func publish(
    _ payload: [UInt8], to topic: String, qos: Int32 = 1, retain: Bool = false,
    responseTopic: String? = nil, correlationData: [UInt8]? = nil
  ) async throws {
    var properties: OpaquePointer?
    if let responseTopic {
      mosquitto_property_add_string(&properties, Int32(MQTT_PROP_RESPONSE_TOPIC.rawValue), responseTopic)
    }
    if let correlationData {
      mosquitto_property_add_binary(
        &properties, Int32(MQTT_PROP_CORRELATION_DATA.rawValue), correlationData,
        UInt16(correlationData.count))
    }
    defer { mosquitto_property_free_all(&properties) }
    let seen = acknowledged.count
    var id: Int32 = 0
    let code = mosquitto_publish_v5(
      pointer, &id, topic, Int32(payload.count), payload, qos, retain, properties)
    try check(code, "publish")
    try await acknowledged.first(from: seen) { [id] in $0 == id }
  }

  /// The first message on `topic`, from index `from` of ``messages`` on, that fits.
  @discardableResult
  public func message(
    on topic: String, from: Int = 0, within limit: Duration = .seconds(10),
    where matches: @escaping @Sendable (RecordedMessage) -> Bool = { _ in true }
  ) async throws -> RecordedMessage {
    try await messages.first(from: from, within: limit) { $0.topic == topic && matches($0) }
  }

  /// The newest message on each topic so far.
  public var latest: [String: RecordedMessage] {
    Dictionary(messages.all.map { ($0.topic, $0) }) { $1 }
  }

  private static let isLibraryReady = mosquitto_lib_init() == 0
  private var pointer: OpaquePointer? { OpaquePointer(bitPattern: address) }

  private func check(_ code: Int32, _ what: String) throws {
    if code != 0 { throw RecorderFailure(what: what, reason: String(cString: mosquitto_strerror(code))) }
  }

  fileprivate func connected(_ code: Int32) { progress.append(.connected(code)) }
  fileprivate func disconnected() { progress.append(.disconnected) }
  fileprivate func subscribed() { progress.append(.subscribed) }
  fileprivate func published(_ id: Int32) { acknowledged.append(id) }
}

public struct RecorderFailure: Error, CustomStringConvertible {
  public let what: String
  public let reason: String
  public var description: String { "recorder: \(what): \(reason)" }
}

private func recorder(_ context: UnsafeMutableRawPointer?) -> MQTTRecorder? {
  context.map { Unmanaged<MQTTRecorder>.fromOpaque($0).takeUnretainedValue() }
}

private func recorderConnected(
  _: OpaquePointer?, context: UnsafeMutableRawPointer?, code: Int32, _: Int32, _: OpaquePointer?
) { recorder(context)?.connected(code) }

private func recorderDisconnected(
  _: OpaquePointer?, context: UnsafeMutableRawPointer?, _: Int32, _: OpaquePointer?
) { recorder(context)?.disconnected() }

private func recorderSubscribed(
  _: OpaquePointer?, context: UnsafeMutableRawPointer?, _: Int32, _: Int32, _: UnsafePointer<Int32>?,
  _: OpaquePointer?
) { recorder(context)?.subscribed() }

private func recorderPublished(
  _: OpaquePointer?, context: UnsafeMutableRawPointer?, id: Int32, _: Int32, _: OpaquePointer?
) { recorder(context)?.published(id) }

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
  recorder(context)?.messages.append(message)
}
