/// Which board is meant.
public enum BoardSelector: Hashable, Sendable, CustomStringConvertible {
  /// Six pairs of hexadecimal digits with colons, in either case.
  case address(String)
  /// The name that the board advertises, exactly; of several the one heard last.
  case name(String)

  public var description: String {
    switch self {
    case .address(let address): address.uppercased()
    case .name(let name): "'\(name)'"
    }
  }
}
