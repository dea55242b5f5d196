/// The names of a bridge's topics and of its devices', from the base topic and the bridge's name: the public contract.
public struct Topics: Hashable, Sendable {
  public let base: String
  public let bridge: String

  public init(base: String, bridge: String) {
    self.base = base
    self.bridge = bridge
  }

  private var bridgePrefix: String { "\(base)/bridge/\(bridge)" }

  public var bridgeState: String { "\(bridgePrefix)/state" }
  public var bridgeInfo: String { "\(bridgePrefix)/info" }
  public var bridgeDevices: String { "\(bridgePrefix)/devices" }
  /// Those of the bridge itself that are retained.
  public var ofBridge: [String] { [bridgeState, bridgeInfo, bridgeDevices] }
  public var bridgeHealth: String { "\(bridgePrefix)/health" }
  public var bridgeLog: String { "\(bridgePrefix)/log" }
  public var bridgeEvent: String { "\(bridgePrefix)/event" }
  /// Where a capture of this device is told.
  public func capture(_ device: String) -> String { "\(bridgePrefix)/capture/\(device)" }
  public func request(_ request: String) -> String { "\(bridgePrefix)/request/\(request)" }
  public func response(_ request: String) -> String { "\(bridgePrefix)/response/\(request)" }

  /// Notified by a board that is explored: `address` with colons, `characteristic` as short as it can be.
  public func bluetoothValue(_ address: String, _ characteristic: String) -> String {
    "\(bridgePrefix)/ble/\(address)/\(characteristic)"
  }

  public func state(_ device: DeviceID) -> String { "\(base)/\(device)" }
  public func value(_ device: DeviceID, _ key: PropertyKey) -> String { "\(base)/\(device)/\(key)" }
  public func command(_ device: DeviceID, _ key: PropertyKey, _ verb: Property.Verb = .set) -> String {
    "\(base)/\(device)/\(key)/\(verb.rawValue)"
  }
  public func availability(_ device: DeviceID) -> String { "\(base)/\(device)/availability" }
  public func event(_ device: DeviceID) -> String { "\(base)/\(device)/event" }
  public func below(_ device: DeviceID, _ subtopic: String) -> String { "\(base)/\(device)/\(subtopic)" }
}
