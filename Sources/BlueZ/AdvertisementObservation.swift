public import DeviceModel
public import EventLoop

/// A wish to hear advertisements, until cancelled.
@Loop public final class AdvertisementObservation {
  public var interest: AdvertisementInterest {
    didSet { if interest != oldValue { central?.scheduleUpdate() } }
  }
  private(set) var handler: (@Loop (Advertisement) -> Void)?
  let includesHeard: Bool
  private weak var central: BluetoothCentral?

  init(
    _ interest: AdvertisementInterest, central: BluetoothCentral, includesHeard: Bool,
    handler: @escaping @Loop (Advertisement) -> Void
  ) {
    self.interest = interest
    self.central = central
    self.includesHeard = includesHeard
    self.handler = handler
  }

  /// The handler is not called after this returns. Safe to repeat.
  public func cancel() {
    guard handler != nil else { return }
    handler = nil
    central?.remove(self)
  }
}
