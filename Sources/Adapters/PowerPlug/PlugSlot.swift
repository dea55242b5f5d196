/// One place of the board's table.
enum PlugSlot: Hashable, Sendable {
  case free
  case taken(Activation)
  /// Occupied by something that is no activation; left alone unless the owner replaces the whole table.
  case unreadable(ActivationError)

  /// The board's index of a slot is one byte, so that there are 255 of them at most.
  static let most = 255

  var activation: Activation? {
    guard case .taken(let activation) = self else { return nil }
    return activation
  }

  init(_ activation: Activation?) { self = activation.map(PlugSlot.taken) ?? .free }

  init(decoding bytes: some Collection<UInt8>) {
    do throws(ActivationError) {
      self.init(try Activation.decode(bytes))
    } catch {
      self = .unreadable(error)
    }
  }

  /// The slots of a table in their order; a rest shorter than a slot is left out.
  static func table(_ bytes: [UInt8]) -> [PlugSlot] {
    stride(from: 0, through: bytes.count - Activation.size, by: Activation.size).map {
      PlugSlot(decoding: bytes[$0..<$0 + Activation.size])
    }
  }
}
