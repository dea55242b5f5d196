/// What the board's `S` message says.
struct PlugStatus: Hashable, Sendable {
  /// True while activations are ignored.
  var isManual: Bool
  var isOn: Bool
}
