import DeviceModel
import EventLoop
import Links

/// All that is known about a device before it runs: from the configuration, checked against its kind.
struct DeviceSetup {
  /// What the configuration says: a device whose source is the same goes on at a reload.
  var source: Source
  var id: DeviceID
  var name: String
  var kind: Kind
  /// Fresh: it has seen nothing yet.
  var adapter: any Adapter
  var links: [LinkSetup]
  var area: String?
  var icon: String?
  var showsLastSeen = false
  var showsRSSI = false
  var output = OutputForm.json
  /// By the key of the property; `*` for all others.
  var filters: [String: PropertyFilter] = [:]

  typealias Source = Int
  struct LinkSetup {
    var role: LinkRole
    var transport: LinkRequirement.Transport
    var session: Session
    /// The device says something by itself; see ``LinkRequirement/speaks``.
    var speaks: Bool
    var make: @Loop (@escaping LinkEvent.Handler) -> any Link
  }

  /// How values are published.
  enum OutputForm: String, Sendable, CaseIterable {
    case json, values, both
    var hasJSON: Bool { self != .values }
    var hasValues: Bool { self != .json }
  }

  func filter(for property: Property) -> PropertyFilter? { filters[property.key.text] ?? filters["*"] }
}
