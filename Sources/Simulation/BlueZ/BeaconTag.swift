public import EventLoop

/// A tag that advertises and takes no connection: an iBeacon, an AltBeacon or Eddystone-UID.
@Loop public final class BeaconTag: SimulatedPeripheral {
  public let advertisedName: String? = nil
  public let services: [SimulatedService] = []

  public init() {}

  public func connected(_ link: SimulatedLink) {}
  public func written(_ bytes: [UInt8], to characteristic: String) {}
  public func disconnected() {}
}

extension SimulatedBlueZ {
  /// Lays an iBeacon within reach.
  ///
  /// - Parameters:
  ///   - uuid: 16 bytes.
  ///   - power: What it says is received at 1 m, dBm.
  @discardableResult
  public func addIBeacon(
    at address: String, uuid: [UInt8], major: UInt16, minor: UInt16, power: Int8 = -59
  ) -> SimulatedBoard {
    let numbers = [major, minor].flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    return addBeacon(
      at: address, manufacturer: [0x004C: [0x02, 0x15] + uuid + numbers + [UInt8(bitPattern: power)]])
  }

  @discardableResult
  public func addBeacon(
    at address: String, manufacturer: [UInt16: [UInt8]] = [:], service: [String: [UInt8]] = [:]
  ) -> SimulatedBoard {
    let board = add(BeaconTag(), at: address)
    board.isConnectable = false
    board.manufacturerData = manufacturer
    board.serviceData = service
    return board
  }
}
