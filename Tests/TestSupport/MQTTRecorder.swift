import CMosquitto
import Glibc
import Synchronization

/// An independent client on a thread of its own: records what it subscribed to, publishes what a test says. It does
/// not connect again by itself.
///
/// Not on libmosquitto's own thread, which waits in `select` and stops at descriptor 1024: a process that runs all
/// tests at once gets there.
public final class MQTTRecorder: Sendable {
  /// All messages in their order. A message published as retained just now carries the flag too (MQTT 5).
  public var messages: Inbox<RecordedMessage> { journal.messages }
  private let journal = RecorderJournal()
  private let address: UInt

  /// Connected and subscribed when this returns.
  public init(
    port: UInt16, subscribingTo filters: [String] = ["#"], version5: Bool = true, clientID: String? = nil,
    username: String? = nil, password: String? = nil
  ) async throws {
    _ = Self.isLibraryReady
    guard let pointer = mosquitto_new(clientID, true, nil) else { throw SystemFailure("mosquitto_new") }
    address = UInt(bitPattern: pointer)
    mosquitto_user_data_set(pointer, Unmanaged.passUnretained(journal).toOpaque())
    mosquitto_int_option(
      pointer, MOSQ_OPT_PROTOCOL_VERSION, version5 ? MQTT_PROTOCOL_V5 : MQTT_PROTOCOL_V311)
    mosquitto_int_option(pointer, MOSQ_OPT_TCP_NODELAY, 1)
    if let username { mosquitto_username_pw_set(pointer, username, password) }
    RecorderJournal.install(on: pointer)
    let code = mosquitto_connect_bind_v5(pointer, "127.0.0.1", Int32(port), 60, nil, nil)
    // From here on the handle is the thread's to destroy.
    Thread.run { [journal, address] in Self.serve(address, journal) }
    try check(code, "connect")
    try await journal.progress.first { $0 == .connected(0) }
    for filter in filters { try await subscribe(to: filter) }
  }

  deinit { disconnect() }

  /// Says goodbye. Safe to repeat; nothing else may be asked of it afterwards.
  public func disconnect() {
    journal.isGone.withLock { isGone in
      if !isGone { mosquitto_disconnect(pointer) }
      isGone = true
    }
  }

  private static func serve(_ address: UInt, _ journal: RecorderJournal) {
    let pointer = OpaquePointer(bitPattern: address)
    while !journal.isGone.withLock({ $0 }) {
      var descriptor = pollfd()
      descriptor.fd = mosquitto_socket(pointer)
      descriptor.events = Int16(mosquitto_want_write(pointer) ? POLLIN | POLLOUT : POLLIN)
      // Another thread may queue what it could not write itself.
      poll(&descriptor, 1, 20)
      if descriptor.revents & Int16(POLLOUT) != 0 { mosquitto_loop_write(pointer, 1) }
      if descriptor.revents & ~Int16(POLLOUT) != 0 { mosquitto_loop_read(pointer, 1) }
      mosquitto_loop_misc(pointer)
    }
    mosquitto_destroy(pointer)
  }

  public func subscribe(to filter: String) async throws {
    let seen = journal.progress.count
    // MQTT 5's 'retain as published'.
    try check(mosquitto_subscribe_v5(pointer, nil, filter, 2, 0x08, nil), "subscribe")
    try await journal.progress.first(from: seen) { $0 == .subscribed }
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
    let seen = journal.acknowledged.count
    var id: Int32 = 0
    let code = mosquitto_publish_v5(
      pointer, &id, topic, Int32(payload.count), payload, qos, retain, properties)
    try check(code, "publish")
    try await journal.acknowledged.first(from: seen) { [id] in $0 == id }
  }

  /// The first message on `topic`, from index `from` of ``messages`` on, that fits.
  @discardableResult
  public func message(
    on topic: String, from: Int = 0, within limit: Duration = .seconds(60),
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
}

public struct RecorderFailure: Error, CustomStringConvertible {
  public let what: String
  public let reason: String
  public var description: String { "recorder: \(what): \(reason)" }
}
