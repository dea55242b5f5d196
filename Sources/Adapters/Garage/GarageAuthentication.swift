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
  }

  /// Of the challenge, in bytes.
  static let challengeLength = 16
  private static let context = Array("garage-1".utf8)

  /// `garage-1`, challenge, command, two bytes that are 0 in this version, PIN: 32 bytes.
  static func message(_ command: Command, challenge: [UInt8], pin: GaragePIN) -> [UInt8] {
    context + challenge + [command.rawValue, 0, 0] + pin.bytes
  }

  /// What is said to `authorize`: the command's letter and the tag's 64 hexadecimal digits.
  static func word(
    _ command: Command, challenge: [UInt8], pin: GaragePIN, key: GarageKey
  ) throws(CryptographyError) -> String {
    let message = message(command, challenge: challenge, pin: pin)
    let tag = try MessageAuthentication.tag(of: message, key: key.bytes)
    return String(Unicode.Scalar(command.rawValue)) + tag.hexadecimal
  }

  /// Nil for what is no challenge: 32 lower-case hexadecimal digits.
  static func challenge(_ text: String) -> [UInt8]? {
    guard text.utf8.count == 2 * challengeLength, let bytes = [UInt8](hexadecimal: text),
      bytes.count == challengeLength
    else { return nil }
    return bytes
  }
}
