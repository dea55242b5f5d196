public import DeviceModel

extension Configuration {
  /// Which radio is used, and where BlueZ is found.
  public struct Bluetooth: Sendable, Hashable {
    /// Nil for the first one.
    public var adapter: Adapter?
    /// The D-Bus address; nil for the system's bus.
    public var bus: String?

    public init(adapter: Adapter?, bus: String?) {
      self.adapter = adapter
      self.bus = bus
    }

    public enum Adapter: Sendable, Hashable {
      /// `hci0`
      case name(String)
      /// Found again when the system names it anew.
      case address(BluetoothAddress)
    }
  }
}
