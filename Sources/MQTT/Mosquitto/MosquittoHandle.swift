import CMosquitto
import EventLoop
import Glibc

/// One `struct mosquitto` with its socket in the loop. It survives its connections, and with it the messages that
/// still want an acknowledgement.
///
/// What libmosquitto 2.0.11 does, from its source and measured, and what follows from it here:
/// - A publish writes to the socket at once, in the caller, unless it is made from within a callback: then it is
///   queued, and ``settle()`` writes it when the library has returned. One of 64 bytes takes 4–5 µs on loopback,
///   nearly all of it the system's; from a publish to its echo through a broker it is 23 µs.
/// - Each packet queued costs one more `write`, to a socket pair that wakes a thread this client does not have; after
///   some 280 packets the pair is full and that call fails at once.
/// - Each packet received costs three `read`s. One packet is read for each time the socket is ready, more only
///   while publishes await their acknowledgement.
/// - The publish callback may run with the library's queue locked: it must not publish. It counts, nothing else.
/// - CONNACK's callback runs before the library sends again what was not acknowledged. So that older messages
///   stay ahead of newer ones, the owner hears of it only after the library has returned.
/// - The disconnect callback is not called when the TLS handshake fails, and may be called twice after a
///   DISCONNECT from the broker. ``finish(_:)`` reports exactly one end.
/// - It ignores SIGPIPE for the whole process.
@Loop final class MosquittoHandle {
  private let pointer: OpaquePointer
  nonisolated let payloadLimit: Int
  nonisolated let log = ErrorLog()
  weak var owner: (any MosquittoOwner)?

  private var watch: DescriptorWatch?
  private var upkeep: LoopTimer?
  private var usesTLS = false
  private var isAnswered = false
  /// Whether the broker tells by which subscription a message comes.
  private var numbersSubscriptions = false
  /// The broker's answer, kept until the library has returned.
  private var answer: MosquittoAnswer?
  private var end: MosquittoEnd?
  private var isInLibrary = false
  /// The turn in which something was published last.
  private var publishedInTurn: UInt64?
  /// Small packets wait in the kernel for those that follow.
  private var isGathering = false

  /// `nil` when there is no memory or no descriptor left, or the client id is not valid UTF-8.
  init?(clientID: String, payloadLimit: Int) {
    guard MosquittoLibrary.isReady, let pointer = mosquitto_new(clientID, true, nil) else { return nil }
    self.pointer = pointer
    self.payloadLimit = payloadLimit
    mosquitto_user_data_set(pointer, Unmanaged.passUnretained(self).toOpaque())
    MosquittoCallbacks.install(on: pointer)
    mosquitto_int_option(pointer, MOSQ_OPT_TCP_NODELAY, 1)
  }

  isolated deinit {
    watch?.cancel()
    upkeep?.cancel()
    mosquitto_destroy(pointer)
  }

  /// The number by which another thread may name the handle.
  var address: UInt { UInt(bitPattern: pointer) }
  var hasSocket: Bool { watch != nil }

  // MARK: Settings

  /// These return a `MOSQ_ERR_…` code.
  func setCredentials(username: String, password: String?) -> Int32 {
    mosquitto_username_pw_set(pointer, username, password)
  }

  func setWill(_ will: Publication) -> Int32 {
    will.payload.withUnsafeBytes { payload in
      mosquitto_will_set(
        pointer, will.topic, Int32(payload.count), payload.baseAddress, Int32(will.qos.rawValue), will.retain)
    }
  }

  func setVersion(_ version: MQTTVersion) {
    let number = version == .v5 ? MQTT_PROTOCOL_V5 : MQTT_PROTOCOL_V311
    mosquitto_int_option(pointer, MOSQ_OPT_PROTOCOL_VERSION, number)
  }

  func setTLS(_ settings: TLSSettings) -> Int32 {
    let trustsSystem = settings.authorityFile == nil && settings.authorityDirectory == nil
    if trustsSystem { mosquitto_int_option(pointer, MOSQ_OPT_TLS_USE_OS_CERTS, 1) }
    if settings.isInsecure {
      mosquitto_tls_insecure_set(pointer, true)
      mosquitto_tls_opts_set(pointer, 0, nil, nil)
    }
    if trustsSystem && settings.certificateFile == nil && settings.keyFile == nil { return 0 }
    // The library takes a client certificate only together with a file or directory of authorities.
    return mosquitto_tls_set(
      pointer, settings.authorityFile, trustsSystem ? "/etc/ssl/certs" : settings.authorityDirectory,
      settings.certificateFile, settings.keyFile, MosquittoCallbacks.password)
  }

  // MARK: Connecting

  /// Connects on a thread of its own. ``MosquittoEvent/answered(_:)`` or ``MosquittoEvent/closed(_:)`` follows;
  /// until ``connectReturned(code:systemCode:)`` nothing else may touch the handle.
  func connect(to server: ServerAddress, version: MQTTVersion, keepAlive: Int32) {
    usesTLS = server.usesTLS
    isAnswered = false
    answer = nil
    end = nil
    _ = log.take()
    MosquittoCallbacks.setLogging(true, on: pointer)
    let largestPacket = version == .v5 ? UInt32(clamping: payloadLimit + 16 * 1024) : nil
    let order = ConnectOrder(
      handle: self, address: address, server: server, keepAlive: keepAlive, largestPacket: largestPacket)
    if !order.start() { connectReturned(code: MOSQ_ERR_ERRNO.code, systemCode: EAGAIN) }
  }

  func connectReturned(code: Int32, systemCode: Int32) {
    let socket = mosquitto_socket(pointer)
    guard code == MOSQ_ERR_SUCCESS.code, socket >= 0 else {
      end = MosquittoEnd(code: code, systemCode: systemCode, log: log.take(), hadConnection: false)
      return settle()
    }
    // A child process would keep the connection open, and the broker would never publish the will.
    _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
    isGathering = false
    watch = DescriptorWatch(socket, for: .readable) { [weak self] readiness in self?.socketIsReady(readiness)
    }
    scheduleUpkeep()
    updateInterest()
  }

  // MARK: Traffic

  /// - Returns: a `MOSQ_ERR_…` code and the message's number.
  func publish(
    _ payload: UnsafeRawBufferPointer, to topic: String, qos: QualityOfService, retain: Bool,
    properties: MessageProperties?
  ) -> (code: Int32, id: Int32) {
    var id: Int32 = 0
    gather()
    var list = PropertyList(properties)
    let code = inLibrary {
      mosquitto_publish_v5(
        pointer, &id, topic, Int32(payload.count), payload.baseAddress, Int32(qos.rawValue), retain,
        list?.head)
    }
    list?.free()
    if Self.meansBroken(code) { abortAtTurnEnd() }
    if !isInLibrary { updateInterest() }
    return (code, id)
  }

  /// The first packet of a turn leaves at once. Those that follow in the same turn are gathered by the kernel until
  /// the turn ends or a segment is full: a third of what a burst costs is the way of each small segment through TCP.
  private func gather() {
    guard let watch, !isGathering else { return }
    guard publishedInTurn == Loop.turn else {
      publishedInTurn = Loop.turn
      return
    }
    setGathering(true, on: watch)
    Loop.atTurnEnd { [weak self] in
      if let self, self.watch === watch { setGathering(false, on: watch) }
    }
  }

  private func setGathering(_ isOn: Bool, on watch: DescriptorWatch) {
    isGathering = isOn
    var value: Int32 = isOn ? 1 : 0
    setsockopt(watch.descriptor, Int32(IPPROTO_TCP), TCP_CORK, &value, socklen_t(MemoryLayout<Int32>.size))
  }

  /// - Returns: a `MOSQ_ERR_…` code and the request's number.
  func subscribe(_ subscription: Subscription, version: MQTTVersion) -> (code: Int32, id: Int32) {
    var id: Int32 = 0
    var options: Int32 = 0
    if version == .v5 {
      if subscription.keepsRetainFlag { options |= Int32(MQTT_SUB_OPT_RETAIN_AS_PUBLISHED.rawValue) }
      options |= Int32(subscription.replay.rawValue) << 4
    }
    var list = version == .v5 && numbersSubscriptions ? PropertyList(number: subscription.number) : nil
    let code = inLibrary {
      mosquitto_subscribe_v5(
        pointer, &id, subscription.filter.text, Int32(subscription.qos.rawValue), options, list?.head)
    }
    list?.free()
    return (code, id)
  }

  func unsubscribe(_ filter: TopicFilter) {
    _ = inLibrary { mosquitto_unsubscribe(pointer, nil, filter.text) }
  }

  /// Says goodbye, so that the broker forgets the will.
  func disconnect() {
    _ = inLibrary { mosquitto_disconnect(pointer) }
    settle()
  }

  /// Ends the connection without a goodbye.
  func abort() {
    guard let watch else { return }
    shutdown(watch.descriptor, Int32(SHUT_RDWR))
    let code = inLibrary { mosquitto_loop_read(pointer, 1) }
    finish(code == MOSQ_ERR_SUCCESS.code ? MOSQ_ERR_CONN_LOST.code : code)
    settle()
  }

  private func abortAtTurnEnd() {
    Loop.atTurnEnd { [weak self, watch] in
      if let self, let watch, self.watch === watch { abort() }
    }
  }

  // MARK: The socket

  private func socketIsReady(_ readiness: Readiness) {
    if readiness.contains(.writable) { check(inLibrary { mosquitto_loop_write(pointer, 1) }) }
    if !readiness.isDisjoint(with: [.readable, .hungUp]) {
      check(inLibrary { mosquitto_loop_read(pointer, 1) })
      // What OpenSSL has decrypted already makes no descriptor readable, and the library stops reading on an
      // `errno` that anything in between may have left.
      if usesTLS, watch != nil { check(inLibrary { mosquitto_loop_read(pointer, 1) }) }
    }
    // During a TLS handshake the library takes some broken connections for ones that have nothing to read.
    if readiness.contains(.hungUp), !isAnswered, watch != nil { abort() }
    settle()
  }

  /// Where the library returned an error without telling its disconnect callback.
  private func check(_ code: Int32) {
    if code != MOSQ_ERR_SUCCESS.code { finish(code) }
  }

  /// Keep-alive; the library wants it about once a second.
  private func scheduleUpkeep() {
    upkeep = LoopTimer(after: .seconds(1)) { [weak self] in
      guard let self, watch != nil else { return }
      check(inLibrary { mosquitto_loop_misc(pointer) })
      settle()
      if watch != nil { scheduleUpkeep() }
    }
  }

  /// The descriptor leaves the loop before its number can be used again. The owner hears of it in ``settle()``.
  func finish(_ code: Int32) {
    guard let watch else { return }
    watch.cancel()
    self.watch = nil
    upkeep?.cancel()
    upkeep = nil
    end = MosquittoEnd(code: code, systemCode: errno, log: log.take(), hadConnection: true)
  }

  func answered(_ answer: MosquittoAnswer) {
    self.answer = answer
    numbersSubscriptions = answer.numbersSubscriptions
  }

  /// Tells the owner what the library must not be interrupted for, and writes what its callbacks queued.
  private func settle() {
    if isInLibrary { return }
    if let answer {
      self.answer = nil
      isAnswered = true
      MosquittoCallbacks.setLogging(false, on: pointer)
      owner?.mosquitto(self, .answered(answer))
    }
    if watch != nil, mosquitto_want_write(pointer) {
      check(inLibrary { mosquitto_loop_write(pointer, 1) })
    }
    updateInterest()
    if let end {
      self.end = nil
      owner?.mosquitto(self, .closed(end))
    }
  }

  private func updateInterest() {
    guard let watch else { return }
    watch.interest = mosquitto_want_write(pointer) ? [.readable, .writable] : .readable
  }

  /// Keeps the handle alive for as long as the library is in it, whatever a callback lets go of.
  private func inLibrary(_ call: () -> Int32) -> Int32 {
    if isInLibrary { return call() }
    isInLibrary = true
    let code = withExtendedLifetime(self, call)
    isInLibrary = false
    return code
  }

  private static func meansBroken(_ code: Int32) -> Bool {
    code == MOSQ_ERR_CONN_LOST.code || code == MOSQ_ERR_ERRNO.code || code == MOSQ_ERR_TLS.code
      || code == MOSQ_ERR_NO_CONN.code
  }
}
