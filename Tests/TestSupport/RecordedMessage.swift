/// A message as an independent client saw it.
public struct RecordedMessage: Equatable, Sendable {
  public var topic: String
  public var payload: [UInt8]
  public var qos: Int
  public var isRetained: Bool
  public var correlationData: [UInt8]?
  public var responseTopic: String?

  public var text: String { String(decoding: payload, as: UTF8.self) }
}
