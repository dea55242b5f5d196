public import DeviceModel

/// One line of a capture: what an adapter was told or wanted sent, and when.
public struct CaptureRecord: Hashable, Sendable {
  /// Since the capture began, to the millisecond.
  public var time: Duration
  public var content: Content

  public enum Content: Hashable, Sendable {
    /// Told to the adapter.
    case input(Input)
    /// Sent to the board.
    case sent(LinkRole, [UInt8])
  }

  public init(_ content: Content, at time: Duration) {
    self.time = time
    self.content = content
  }
}

extension CaptureRecord {
  /// As it stands in the file. nil for what is not recorded: timers, which a replay has of its own, random bytes, and
  /// requests, whose parameters may be secret.
  public var value: Value? {
    guard var members = content.members else { return nil }
    members["t"] = .number(Double(time / .milliseconds(1)).rounded() / 1000)
    return .object(members)
  }

  /// nil for what ``value`` never gives.
  public init?(_ value: Value) {
    guard case .object(let members) = value, let seconds = members["t"]?.asNumber, seconds >= 0,
      seconds < 1e9, let content = Content(members)
    else { return nil }
    self.init(content, at: .milliseconds(Int((seconds * 1000).rounded())))
  }
}

extension CaptureRecord.Content {
  fileprivate var members: Value.Members? {
    switch self {
    case .sent(let role, let bytes): ["send": .text(role.text), "hex": .text(bytes.hexadecimal)]
    case .input(let input): input.members
    }
  }

  fileprivate init?(_ members: Value.Members) {
    if let role = members["send"]?.asText, let bytes = members.bytes {
      self = .sent(LinkRole(role), bytes)
    } else if let input = Input(members) {
      self = .input(input)
    } else {
      return nil
    }
  }
}

extension CaptureRecord.Content {
  /// Of bytes on a link only how many there were.
  var withoutTraffic: Self {
    func blot(_ bytes: [UInt8]) -> [UInt8] { Array(repeating: UInt8(ascii: "*"), count: bytes.count) }
    return switch self {
    case .sent(let role, let bytes): .sent(role, blot(bytes))
    case .input(.received(let role, let bytes)): .input(.received(role, blot(bytes)))
    case .input(.transmit(let number, let bytes)): .input(.transmit(number: number, blot(bytes)))
    case .input: self
    }
  }
}
