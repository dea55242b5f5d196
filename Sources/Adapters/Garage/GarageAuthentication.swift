import Cryptography
import DeviceModel

/// The authenticated exchange with a newer board: it tells a challenge that it never tells twice, and obeys a command
/// only with the tag of that challenge, by a key that is never sent. What is overheard is of no use a second time.
///
/// Byte by byte it is on the documentation's page GarageAuthentication.
enum GarageAuthentication {
  enum Command: UInt8, Hashable, Sendable {
    case open = 0x4F
    case close = 0x43
    /// A PIN into a place, and none.
    case put = 0x50
    case delete = 0x44
  }

  /// Of the challenge, in bytes.
  static let challengeLength = 16
  private static let context = Array("garage-1".utf8)
  private static let sealing = Array("garage-s".utf8)
  private static let marking = Array("garage-p".utf8)

  /// `garage-1`, challenge, command, place, a byte 0, PIN: 32 bytes. The place is 0 where the command has none.
  static func message(_ command: Command, challenge: [UInt8], place: UInt8 = 0, pin: GaragePIN) -> [UInt8] {
    context + challenge + [command.rawValue, place, 0] + pin.bytes
  }

  /// What is said to `authorize`: the command's letter and the tag's 64 hexadecimal digits.
  static func word(
    _ command: Command, challenge: [UInt8], pin: GaragePIN, key: GarageKey
  ) throws(CryptographyError) -> String {
    let message = message(command, challenge: challenge, pin: pin)
    let tag = try MessageAuthentication.tag(of: message, key: key.bytes)
    return String(Unicode.Scalar(command.rawValue)) + tag.hexadecimal
  }

  /// The word that puts `pin` into a place or, for nil, takes away what is there: the command's letter, the place, the
  /// PIN (of five bytes 0 for none) covered by what follows from the tag, and the tag of all that by the master's PIN.
  static func word(
    putting pin: GaragePIN?, at place: UInt8, challenge: [UInt8], master: GaragePIN, key: GarageKey
  ) throws(CryptographyError) -> String {
    let command = pin == nil ? Command.delete : Command.put
    let plain = pin?.bytes ?? [UInt8](repeating: 0, count: GaragePIN.length)
    let message = message(command, challenge: challenge, place: place, pin: master) + plain
    let tag = try MessageAuthentication.tag(of: message, key: key.bytes)
    // By the tag: two PINs are never covered alike, whatever challenges somebody tells.
    let cover = try MessageAuthentication.tag(of: sealing + tag, key: key.bytes)
    let sealed = zip(plain, cover).map { $0 ^ $1 }
    return String(Unicode.Scalar(command.rawValue)) + ([place] + sealed + tag).hexadecimal
  }

  /// What the board tells of a PIN in a place, in four digits; without the key they say nothing.
  static func mark(of pin: GaragePIN, at place: UInt8, key: GarageKey) throws(CryptographyError) -> String {
    let tag = try MessageAuthentication.tag(of: marking + [place] + pin.bytes, key: key.bytes)
    return Array(tag.prefix(2)).hexadecimal
  }

  /// Nil for what is no challenge: 32 lower-case hexadecimal digits.
  static func challenge(_ text: String) -> [UInt8]? {
    guard text.utf8.count == 2 * challengeLength, let bytes = [UInt8](hexadecimal: text),
      bytes.count == challengeLength
    else { return nil }
    return bytes
  }
}
