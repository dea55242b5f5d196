public import DeviceModel

extension Configuration {
  /// One device as its owner describes it.
  public struct Device: Sendable, Hashable {
    /// As it is shown, untouched.
    public var name: String
    /// Of what is written as `id`, else of the name.
    public var id: DeviceID
    /// A name of ``DeviceModel/Kind``.
    public var kind: String
    /// The primary one first; empty only for a kind that has none.
    public var links: [Link]
    /// Checked against the schema of the kind.
    public var options: Options
    public var area: String?
    public var icon: String?
    /// Diagnostic sensors beside those of the kind.
    public var showsLastSeen: Bool
    public var showsRSSI: Bool
    public var showsReconnects: Bool
    public var filters: Filters
    /// Does not count when two are compared.
    public var location: SourceLocation

    /// Which changes of a value are not worth a message.
    public struct Filters: Sendable, Hashable {
      /// For all properties that have none of their own.
      public var common: Filter
      public var properties: [PropertyKey: Filter]

      /// All changes are published.
      public static let none = Filters(common: Filter(), properties: [:])

      public subscript(property: PropertyKey) -> Filter {
        guard let own = properties[property] else { return common }
        return Filter(
          minimumChange: own.minimumChange ?? common.minimumChange,
          minimumInterval: own.minimumInterval ?? common.minimumInterval)
      }
    }

    /// For one property; nil lets every change pass.
    public struct Filter: Sendable, Hashable {
      /// A number that differs by less from the last published one is held back; in the property's unit.
      public var minimumChange: Double?
      /// The least time between two messages; the newest value in between is published when it is over.
      public var minimumInterval: Duration?

      public init(minimumChange: Double? = nil, minimumInterval: Duration? = nil) {
        self.minimumChange = minimumChange
        self.minimumInterval = minimumInterval
      }
    }

    public static func == (left: Device, right: Device) -> Bool {
      left.name == right.name && left.id == right.id && left.kind == right.kind && left.links == right.links
        && left.options == right.options && left.area == right.area && left.icon == right.icon
        && left.showsLastSeen == right.showsLastSeen && left.showsRSSI == right.showsRSSI
        && left.showsReconnects == right.showsReconnects && left.filters == right.filters
    }

    public func hash(into hasher: inout Hasher) {
      hasher.combine(id)
      hasher.combine(kind)
    }
  }
}
