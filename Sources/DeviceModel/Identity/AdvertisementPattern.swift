/// Bytes by which some advertisements are told from all others before anybody reads them.
public struct AdvertisementPattern: Hashable, Sendable {
  public enum Part: Hashable, Sendable {
    /// Of any company.
    case manufacturerData
    /// Of any service.
    case serviceData
  }

  public var part: Part
  /// Bytes of the data that come before.
  public var start: Int
  public var bytes: [UInt8]

  public init(_ part: Part, from start: Int, _ bytes: [UInt8]) {
    self.part = part
    self.start = start
    self.bytes = bytes
  }
}
