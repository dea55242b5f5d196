package import DeviceModel

/// The beacon in an advertisement, for a person who looks for the numbers of a tag.
package struct BeaconSighting: Hashable, Sendable {
  /// `ibeacon`, `altbeacon` or `eddystone`.
  package var format: String
  /// `UUID:major:minor`, or `namespace:instance`.
  package var identity: String
  /// At 1 m, dBm.
  package var measuredPower: Int?

  /// Nil for an advertisement without one.
  package init?(_ advertisement: Advertisement) {
    guard let frame = try? BeaconFrame.decode(advertisement) else { return nil }
    format = frame.identity.format.rawValue
    identity = "\(frame.identity)"
    measuredPower = frame.powerDBm
  }
}
