/// What MQTT 5 says about a message beside its payload. With MQTT 3.1.1 nothing of it is sent.
public struct MessageProperties: Equatable, Sendable {
  /// Where an answer is expected.
  public var responseTopic: String?
  /// Comes back unchanged with the answer; at most 65535 bytes.
  public var correlationData: [UInt8]?
  /// Seconds after which a broker drops the message undelivered.
  public var expirySeconds: UInt32?
  /// A media type such as `application/json`.
  public var contentType: String?

  public init(
    responseTopic: String? = nil, correlationData: [UInt8]? = nil, expirySeconds: UInt32? = nil,
    contentType: String? = nil
  ) {
    self.responseTopic = responseTopic
    self.correlationData = correlationData
    self.expirySeconds = expirySeconds
    self.contentType = contentType
  }

  public var isEmpty: Bool {
    responseTopic == nil && correlationData == nil && expirySeconds == nil && contentType == nil
  }
}
