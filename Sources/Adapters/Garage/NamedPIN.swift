import Cryptography
import DeviceModel

/// A PIN that was put under a name, as it is remembered: its place in the board's table, and a mark by which it shows
/// whether it is still the one that stands there. Phones change the table too.
struct NamedPIN: Hashable, Sendable {
  var place: Int
  /// Four hexadecimal digits; those of another PIN differ, but for one in 65,536.
  var mark: String

  private static let marking = Array("garage-n".utf8)

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
