/// A message as an independent client saw it.
public struct RecordedMessage: Equatable, Sendable, CustomStringConvertible {
  public var topic: String
  public var payload: [UInt8]
  public var qos: Int
  public var isRetained: Bool
  public var correlationData: [UInt8]?
  public var responseTopic: String?

  public var text: String { String(decoding: payload, as: UTF8.self) }

  /// As a person reads it in the report of a test that failed.
  public var description: String {
    let content = String(validating: payload, as: UTF8.self) ?? "\(payload)"
    return "\(topic)\(isRetained ? " (retained)" : "") \(content)"
  }
}
