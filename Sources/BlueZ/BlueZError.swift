public import DBus
public import DeviceModel

/// What BlueZ, the bus before it or a board behind it refuses, each by its cause.
public enum BlueZError: Error, Hashable, Sendable {
  // On the way to BlueZ.
  case busMissing(String)
  case busDenied(String)
  case serviceNotRunning
  case accessDenied(String)
  case stopped

  // The adapter.
  case noAdapter(wanted: String?)
  case adapterOff(String)

  // Connecting.
  case notSeen
  case connectionAborted
  case connectionCanceled
  case connectionTimedOut(seconds: Int)
  case connectionBusy
  case connectionFailed(String)
  case dropped
  case boardRemoved
  case connectedOverBREDR
  case boardMute
  case uartMissing(wanted: BluetoothUUID, found: [BluetoothUUID])
  case staleServices(paired: Bool)
  case pairingNeeded

  // Reading and writing.
  case notConnected
  case attributeGone
  case inProgress
  case notPermitted(String)
  case notSupported
  case invalidArguments(String)
  case attributeError(UInt8)
  case packetTooLong(bytes: Int, maximum: Int)
  case queueFull
  case noAnswer
  case other(name: String, message: String)
}

extension BlueZError {
  /// The cause behind an answer of BlueZ 5, by the names and words of its version 5.66.
  public init(_ error: DBusError) {
    switch error {
    case .remote(let name, let message): self.init(name: name, message: message)
    case .unreachable(let name, let message):
      let isDenied = name.hasSuffix(".AccessDenied") || name.hasSuffix(".AuthFailed")
      self = isDenied ? .busDenied(message) : .busMissing(message)
    case .timedOut: self = .noAnswer
    case .disconnected: self = .busMissing("the connection to the bus ended")
    case .cancelled: self = .stopped
    case .unsendable(let why): self = .invalidArguments("\(why)")
    case .unexpectedReply: self = .other(name: "unexpected answer", message: "\(error)")
    }
  }

  init(name: String, message: String) {
    switch name {
    case "org.bluez.Error.Failed": self.init(failure: message)
    case "org.bluez.Error.InProgress": self = .inProgress
    case "org.bluez.Error.NotReady": self = .adapterOff("")
    case "org.bluez.Error.NotConnected": self = .notConnected
    // What bluetoothd makes of the errors that a board gives to who is not paired.
    case "org.bluez.Error.NotPermitted":
      self = message == "Not paired" ? .pairingNeeded : .notPermitted(message)
    case "org.bluez.Error.NotSupported": self = .notSupported
    case "org.bluez.Error.InvalidArguments": self = .invalidArguments(message)
    case "org.bluez.Error.InvalidValueLength": self = .invalidArguments("Invalid Length")
    case "org.bluez.Error.InvalidOffset": self = .invalidArguments("Invalid Offset")
    case "org.bluez.Error.DoesNotExist", "org.freedesktop.DBus.Error.UnknownObject": self = .boardRemoved
    case "org.bluez.Error.NotAuthorized", "org.bluez.Error.AuthenticationFailed",
      "org.bluez.Error.AuthenticationRejected", "org.bluez.Error.AuthenticationCanceled",
      "org.bluez.Error.AuthenticationTimeout":
      self = .pairingNeeded
    case "org.bluez.Error.ConnectionAttemptFailed": self = .connectionFailed(message)
    case "org.freedesktop.DBus.Error.AccessDenied": self = .accessDenied(message)
    case "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner":
      self = .serviceNotRunning
    case "org.freedesktop.DBus.Error.NoReply": self = .serviceNotRunning  // it ended with our call unanswered
    case _ where name.hasPrefix("org.freedesktop.DBus.Error.Spawn."): self = .serviceNotRunning
    default: self = .other(name: name, message: message)
    }
  }

  /// `org.bluez.Error.Failed` says its cause in words only.
  private init(failure message: String) {
    switch message {
    case "le-connection-abort-by-local", "Software caused connection abort": self = .connectionAborted
    case "br-connection-canceled", "le-connection-canceled", "Operation canceled": self = .connectionCanceled
    case "Operation already in progress", "In Progress": self = .connectionBusy
    case "Not connected", "Transport endpoint is not connected": self = .notConnected
    case "Input/output error": self = .adapterOff("")
    case _ where message.hasPrefix("br-connection-"): self = .connectedOverBREDR
    case _ where message.hasPrefix("le-connection-"): self = .connectionFailed(message)
    default:
      let prefix = "Operation failed with ATT error: 0x"
      if message.hasPrefix(prefix), let code = UInt8(message.dropFirst(prefix.count), radix: 16) {
        self = code == 0x05 || code == 0x0F ? .pairingNeeded : .attributeError(code)
      } else {
        self = .other(name: "org.bluez.Error.Failed", message: message)
      }
    }
  }
}

extension BlueZError {
  /// As the answer to a write: it never reached the program behind the attribute.
  ///
  /// Such are refusals of our own and of bluetoothd, and the codes with which the board's radio itself turns a write
  /// away (Bluetooth Core Specification, volume 3, part F, 3.4.1.1). Any other code may come from the program, after
  /// it has acted; and an answer that is missing says nothing.
  public var provesNothingWasWritten: Bool {
    switch self {
    case .notConnected, .attributeGone, .inProgress, .notPermitted, .notSupported, .pairingNeeded,
      .accessDenied,
      .packetTooLong, .queueFull:
      true
    case .attributeError(let code): Self.refusalsByTheRadio.contains(code)
    default: false
    }
  }

  /// Invalid handle, write not permitted, invalid PDU, authentication, request not supported, authorization, attribute
  /// not found, encryption key size, encryption.
  private static let refusalsByTheRadio: Set<UInt8> = [0x01, 0x03, 0x04, 0x05, 0x06, 0x08, 0x0A, 0x0C, 0x0F]
}

extension BlueZError: CustomStringConvertible {
  /// For the owner: what is wrong, and where it helps, what to do.
  public var description: String {
    switch self {
    case .busMissing(let why):
      "no D-Bus: \(why). Is dbus running? In a container, mount /run/dbus/system_bus_socket"
    case .busDenied(let why):
      "D-Bus lets this user not in: \(why). In a container, AppArmor or the user's number may be the cause"
    case .serviceNotRunning: "bluetoothd is not running: systemctl enable --now bluetooth"
    case .accessDenied(let why):
      "bluetoothd lets this user not in: \(why). Add the user to the group 'bluetooth'"
    case .stopped: "stopped"
    case .noAdapter(nil): "no Bluetooth adapter is plugged in"
    case .noAdapter(let wanted?): "the Bluetooth adapter \(wanted) is not there"
    case .adapterOff(let name):
      "the Bluetooth adapter\(name.isEmpty ? "" : " " + name) is off: bluetoothctl power on, or rfkill unblock bluetooth"
    case .notSeen: "the board is not heard advertising: off, out of range, or connected to somebody else"
    case .connectionAborted: "the board did not take the connection"
    case .connectionCanceled: "the connection was given up"
    case .connectionTimedOut(let seconds): "the board did not take the connection within \(seconds) s"
    case .connectionBusy: "another program is connecting to the board"
    case .connectionFailed(let why): "the connection failed: \(why)"
    case .dropped: "the connection was lost"
    case .boardRemoved: "BlueZ does not know the board any more"
    case .connectedOverBREDR:
      "the board was connected over classic Bluetooth (BR/EDR), which has no UART service: switch its classic part off"
    case .boardMute: "the board does not answer when asked for its services"
    case .uartMissing(let wanted, let found):
      "the board has no service \(wanted.short); it has "
        + (found.isEmpty ? "none" : found.map(\.short).joined(separator: ", "))
    case .staleServices(paired: false):
      "BlueZ remembered other services of the board: they are asked for anew"
    case .staleServices(paired: true):
      "BlueZ remembers other services of the board, and it is paired: bluetoothctl remove it and pair again"
    case .pairingNeeded: "the board wants to be paired first: bluetoothctl pair"
    case .notConnected: "not connected"
    case .attributeGone: "the board has no such attribute any more"
    case .inProgress: "BlueZ is busy with the same"
    case .notPermitted(let why): "not permitted: \(why)"
    case .notSupported: "the board's characteristic does not offer this"
    case .invalidArguments(let why): "refused by BlueZ: \(why)"
    case .attributeError(let code):
      "the board refused: \(AttributeErrorName.name(of: code)) (ATT error 0x\(code < 16 ? "0" : "")\(String(code, radix: 16)))"
    case .packetTooLong(let bytes, let maximum): "\(bytes) bytes in one packet; the board takes \(maximum)"
    case .queueFull: "the board takes packets more slowly than they come"
    case .noAnswer: "bluetoothd does not answer"
    case .other(let name, let message): message.isEmpty ? name : message
    }
  }
}
