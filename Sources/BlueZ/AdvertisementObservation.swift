public import DeviceModel
public import EventLoop

/// A wish to hear advertisements, until cancelled.
@Loop public final class AdvertisementObservation {
  public var interest: AdvertisementInterest {
    didSet { if interest != oldValue { central?.scheduleUpdate() } }
  }
  /// Whether advertisements of ``interest`` go unheard: while a board is being connected, and until a scan is on.
  public private(set) var isDeaf = false
  /// ``isDeaf`` is another. Never called from within a call of the owner's.
  public var onDeafness: @Loop (Bool) -> Void = { _ in }
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

  func deafen(_ isDeaf: Bool) {
    guard handler != nil, isDeaf != self.isDeaf else { return }
    self.isDeaf = isDeaf
    onDeafness(isDeaf)
  }

  /// The handler is not called after this returns. Safe to repeat.
  public func cancel() {
    guard handler != nil else { return }
    handler = nil
    central?.remove(self)
  }
}
