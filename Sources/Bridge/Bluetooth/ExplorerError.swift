import BlueZ
import DeviceModel

/// Why a request about Bluetooth cannot be carried out.
enum ExplorerError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A member of the request.
  case invalid(String)
  case bluetooth(BlueZError)
  /// It is the board of this device.
  case owned(DeviceID)
  case tooManyBoards(Int)
  case tooManyRequests
  case noCharacteristic(String, found: [String])
  case ambiguous(String, [String])
  case notOffered(String, wanted: String, offers: [String])
  case notText

  var description: String {
    switch self {
    case .invalid(let what): what
    case .bluetooth(let error): error.description
    case .owned(let id): "the bridge itself holds this board, as '\(id)', and leaves it undisturbed"
    case .tooManyBoards(let most): "\(most) boards are connected by request already: disconnect one"
    case .tooManyRequests: "too many requests wait for this board already"
    case .noCharacteristic(let name, let found):
      "the board has no \(name); it has \(found.isEmpty ? "none" : found.joined(separator: ", "))"
    case .ambiguous(let name, let places):
      "the board has several \(name): name one by its 'handle', of \(places.joined(separator: ", "))"
    case .notOffered(let name, let wanted, let offers):
      "\(name) cannot be \(wanted); it offers \(offers.isEmpty ? "nothing" : offers.joined(separator: ", "))"
    case .notText: "the value is not UTF-8: ask for it as hex or base64"
    }
  }
}
