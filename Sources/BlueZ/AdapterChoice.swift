import DBus

/// Which adapter is used: the one asked for by name or address, and the same one again when it comes back under
/// another name.
struct AdapterChoice {
  /// `hci0`, an address, or nil.
  let wanted: String?
  /// Of the adapter once found.
  private(set) var address: String?

  init(wanted: String?) { self.wanted = wanted }

  /// The adapter to use of those in `tree`, nil for none.
  mutating func choose(from tree: ObjectTree) -> ObjectPath? {
    let adapters = tree.paths(with: Interface.adapter)
    func address(_ path: ObjectPath) -> String? {
      tree.property(path, Interface.adapter, "Address")?.string?.uppercased()
    }
    let chosen =
      adapters.first { self.address != nil && address($0) == self.address }
      ?? adapters.first { path in
        guard let wanted else { return false }
        return path.lastElement == wanted || address(path) == wanted.uppercased()
      }
      ?? (wanted == nil ? anyAdapter(adapters, in: tree) : nil)
    if let chosen { self.address = address(chosen) }
    return chosen
  }

  private func anyAdapter(_ adapters: [ObjectPath], in tree: ObjectTree) -> ObjectPath? {
    adapters.first { tree.property($0, Interface.adapter, "Powered")?.boolean == true } ?? adapters.first
  }
}
