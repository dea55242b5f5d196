public import EventLoop

/// A board with services of its own beside those of the standard: a battery, who made it, the weather, a lamp and a
/// label that can be set, and a value that only a paired central may read.
@Loop public final class WeatherBoard: SimulatedPeripheral {
  public let advertisedName: String?
  public let services: [SimulatedService]
  public private(set) var link: SimulatedLink?
  public private(set) var values: [String: [UInt8]]
  /// In their order.
  public private(set) var written: [(characteristic: String, bytes: [UInt8])] = []

  public nonisolated static let battery = SimulatedService.assigned("2a19")
  public nonisolated static let temperature = SimulatedService.assigned("2a6e")
  public nonisolated static let humidity = SimulatedService.assigned("2a6f")
  public nonisolated static let pressure = SimulatedService.assigned("2a6d")
  public nonisolated static let lamp = "f0c10001-7a2b-4d5e-9b1c-2f6a8e3d4c5b"
  public nonisolated static let label = "f0c10002-7a2b-4d5e-9b1c-2f6a8e3d4c5b"
  public nonisolated static let secret = "f0c10003-7a2b-4d5e-9b1c-2f6a8e3d4c5b"
  public nonisolated static let beep = "f0c10004-7a2b-4d5e-9b1c-2f6a8e3d4c5b"

  public init(name: String? = "Weather") {
    advertisedName = name
    services = [
      SimulatedService(
        SimulatedService.assigned("180f"),
        [.init(Self.battery, ["read", "notify"])]),
      SimulatedService(
        SimulatedService.assigned("180a"),
        [
          .init(SimulatedService.assigned("2a29"), ["read"]),
          .init(SimulatedService.assigned("2a24"), ["read"]),
          .init(SimulatedService.assigned("2a26"), ["read"]),
        ]),
      SimulatedService(
        SimulatedService.assigned("181a"),
        [
          .init(
            Self.temperature, ["read", "notify"],
            descriptors: [.init(SimulatedService.assigned("2901"), Array("outside".utf8))]),
          .init(Self.humidity, ["read"]), .init(Self.pressure, ["read"]),
        ]),
      SimulatedService(
        "f0c10000-7a2b-4d5e-9b1c-2f6a8e3d4c5b",
        [
          .init(Self.lamp, ["read", "write"]), .init(Self.label, ["read", "write"]),
          .init(Self.secret, ["read"]), .init(Self.beep, ["write-without-response"]),
        ]),
    ]
    values = [
      Self.battery: [87], SimulatedService.assigned("2a29"): Array("Acme".utf8),
      SimulatedService.assigned("2a24"): Array("Weather 3".utf8),
      SimulatedService.assigned("2a26"): Array("1.2".utf8),
      // 21.50 °C, 48.00 %, 101325.0 Pa.
      Self.temperature: [0x66, 0x08], Self.humidity: [0xC0, 0x12],
      Self.pressure: [0x02, 0x76, 0x0F, 0x00], Self.lamp: [0], Self.label: Array("attic".utf8),
    ]
  }

  /// The value is another from now on, which whoever has subscribed is told.
  public func set(_ bytes: [UInt8], of characteristic: String) {
    values[characteristic] = bytes
    link?.notify(bytes, from: characteristic)
  }

  public func connected(_ link: SimulatedLink) { self.link = link }
  public func disconnected() { link = nil }

  public func written(_ bytes: [UInt8], to characteristic: String) {
    written.append((characteristic, bytes))
    if written.count > 1000 { written.removeFirst(500) }
    values[characteristic] = bytes
  }

  public func read(_ characteristic: String) -> Result<[UInt8], BlueZFault> {
    characteristic == Self.secret ? .failure(.attribute(0x05)) : .success(values[characteristic] ?? [])
  }
}
