public import DeviceModel
import JSON

/// The first line of a capture: all that makes the same adapter again.
public struct CaptureHeader: Hashable, Sendable {
  /// Of the program that wrote it.
  public var version: String
  public var device: String
  public var kind: String
  /// ``Options/written``.
  public var options: Value
  /// When the capture began.
  public var start: Timestamp

  public init(version: String, device: String, kind: String, options: Value, start: Timestamp) {
    self.version = version
    self.device = device
    self.kind = kind
    self.options = options
    self.start = start
  }

  /// As it stands in the file.
  public var value: Value {
    [
      "capture": 1, "version": .text(version), "device": .text(device), "kind": .text(kind),
      "options": options, "start": .text(start.iso8601),
    ]
  }

  /// nil for what ``value`` never gives.
  public init?(_ value: Value) {
    guard case .object(let members) = value, members["capture"] == 1, let device = members["device"]?.asText,
      let kind = members["kind"]?.asText,
      let start = members["start"]?.asText.flatMap({ Timestamp(iso8601: $0) })
    else { return nil }
    self.init(
      version: members["version"]?.asText ?? "?", device: device, kind: kind,
      options: members["options"] ?? [:], start: start)
  }
}

extension CaptureHeader {
  /// The line with its end.
  public var line: String { JSON.text(of: value) + "\n" }
}
