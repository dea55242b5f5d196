import Cryptography
import DeviceModel

/// A PIN that was put under a name, as it is remembered: its place in the board's table, and a mark by which it shows
/// whether it is still the one that stands there. Phones change the table too.
struct NamedPIN: Hashable, Sendable {
  var place: Int
  /// Four hexadecimal digits; those of another PIN differ, but for one in 65,536. Nil until it has been looked at.
  var mark: String?
  /// Of the PIN that a change was to put there, of which it is not known whether it was made.
  var coming: String?

  private static let marking = Array("garage-n".utf8)
  private static let keying = Array("garage-k".utf8)

  init(place: Int, mark: String?, coming: String? = nil) {
    self.place = place
    self.mark = mark
    self.coming = coming
  }

  /// False when the PIN that stands there now is another.
  mutating func isStill(_ found: String) -> Bool {
    if found == coming {
      mark = found
      coming = nil
    }
    if mark == nil { mark = found }
    return mark == found
  }

  /// Two hexadecimal digits that change, but for one time in 256, when marks are made anew because the configuration
  /// has another key, master PIN or person's PIN. So few that they tell nothing of those.
  static func keyMark(of settings: GarageSettings) -> String? {
    guard let key = settings.key?.bytes ?? settings.masterPIN?.bytes else { return nil }
    let message = keying + settings.persons.flatMap(\.pin.bytes)
    return (try? MessageAuthentication.tag(of: message, key: key)).map { Array($0.prefix(1)).hexadecimal }
  }

  /// Of a classic board, by its master PIN. It is short on purpose: many PINs have each mark.
  static func mark(of pin: GaragePIN, at place: Int, master: GaragePIN) throws(CryptographyError) -> String {
    let message = marking + [UInt8(truncatingIfNeeded: place)] + pin.bytes
    return Array(try MessageAuthentication.tag(of: message, key: master.bytes).prefix(2)).hexadecimal
  }
}

extension GarageSettings {
  /// By which a PIN in a place is known again: a newer board's own mark, or ours.
  func mark(of pin: GaragePIN, at place: Int) -> String {
    let mark =
      if let key {
        try? GarageAuthentication.mark(of: pin, at: UInt8(truncatingIfNeeded: place), key: key)
      } else if let masterPIN {
        try? NamedPIN.mark(of: pin, at: place, master: masterPIN)
      } else {
        String?.none
      }
    return mark ?? ""
  }
}
