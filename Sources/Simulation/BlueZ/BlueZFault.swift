import DBus
import EventLoop

/// An error as bluetoothd names it.
public struct BlueZFault: Error, Hashable, Sendable {
  public var name: String
  public var message: String

  public init(_ name: String, _ message: String = "") {
    self.name = name
    self.message = message
  }

  public static func failed(_ message: String) -> BlueZFault {
    BlueZFault("org.bluez.Error.Failed", message)
  }

  /// What BlueZ makes of an error code of the attribute protocol.
  public static func attribute(_ code: UInt8) -> BlueZFault {
    switch code {
    case 0x02: BlueZFault("org.bluez.Error.NotPermitted", "Read not permitted")
    case 0x03: BlueZFault("org.bluez.Error.NotPermitted", "Write not permitted")
    case 0x05, 0x0C, 0x0F: BlueZFault("org.bluez.Error.NotPermitted", "Not paired")
    case 0x06: BlueZFault("org.bluez.Error.NotSupported", "Operation is not supported")
    case 0x07: BlueZFault("org.bluez.Error.InvalidArguments", "Invalid offset")
    case 0x08: BlueZFault("org.bluez.Error.NotAuthorized", "Operation Not Authorized")
    case 0x0D: BlueZFault("org.bluez.Error.InvalidArguments", "Invalid Length")
    default: failed("Operation failed with ATT error: 0x" + hexadecimal(code))
    }
  }

  private static func hexadecimal(_ code: UInt8) -> String {
    (code < 16 ? "0" : "") + String(code, radix: 16)
  }

  static let notReady = BlueZFault("org.bluez.Error.NotReady", "Resource Not Ready")
  static let inProgress = BlueZFault("org.bluez.Error.InProgress", "In Progress")
  static let notSupported = BlueZFault("org.bluez.Error.NotSupported", "Operation is not supported")
  static let notConnected = failed("Not connected")
  static let doesNotExist = BlueZFault("org.bluez.Error.DoesNotExist", "Does Not Exist")
  static let unknownMethod = BlueZFault("org.freedesktop.DBus.Error.UnknownMethod", "no such method")
  static let unknownObject = BlueZFault("org.freedesktop.DBus.Error.UnknownObject", "no such object")
}

/// How one `Connect` goes.
public enum ConnectCourse: Hashable, Sendable {
  case normal
  /// As ``normal``, after this time.
  case slow(Duration)
  /// No answer, ever.
  case hangs
  /// At once.
  case fails(BlueZFault)
  /// The board advertises and does not answer: BlueZ gives up and forgets it.
  case unanswered
  /// Connected and dropped at once, with code 0x3e.
  case dropsAtOnce
  /// Connected, and mute when asked for its services.
  case mute
  /// BlueZ takes the classic radio, and the board has no profile there.
  case classicRefused
  /// BlueZ takes the classic radio: connected, and no service in sight.
  case classic
}

extension IncomingCall {
  func fail(_ fault: BlueZFault) { fail(fault.name, fault.message) }
}
