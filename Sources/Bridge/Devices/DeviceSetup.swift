import Configuration
import DeviceModel
import EventLoop
import HomeAssistant

/// All that is known about a device before it runs: from the configuration, checked against its kind.
struct DeviceSetup: Sendable {
  /// What the configuration says: a device whose source is the same goes on at a reload.
  var source: Configuration.Device
  var id: DeviceID
  var name: String
  var kind: Kind
  /// Fresh: it has seen nothing yet.
  var adapter: any Adapter
  /// The primary one first.
  var links: [LinkSetup]
  var area: String?
  var icon: String?
  var showsLastSeen: Bool
  var showsRSSI: Bool
  var showsReconnects: Bool
  var output: OutputForm
  /// What the owner asked for to quieten a property.
  var filters: @Sendable (PropertyKey) -> PropertyFilter?

  struct LinkSetup: Sendable {
    var settings: Configuration.Link
    /// The device says something by itself; see ``LinkRequirement/speaks``.
    var speaks: Bool
  }

  /// Of the board, where the configuration names it.
  var bluetoothAddress: BluetoothAddress? {
    guard case .ble(.address(let address), _) = links.first?.settings.target else { return nil }
    return address
  }

  /// Whether a device that runs with `other` need not begin anew.
  func isSame(as other: DeviceSetup) -> Bool { source == other.source && output == other.output }

  /// How values are published.
  typealias OutputForm = DiscoverableDevice.Output
}

extension DiscoverableDevice.Output {
  var hasJSON: Bool { self != .values }
  var hasValues: Bool { self != .json }
}
