@testable import BlueZ
import DBus
import Testing

struct ValueTests {
  @Test(arguments: [
    ("org.bluez.Error.Failed", "le-connection-abort-by-local", BlueZError.connectionAborted),
    ("org.bluez.Error.Failed", "br-connection-canceled", .connectionCanceled),
    ("org.bluez.Error.Failed", "br-connection-profile-unavailable", .connectedOverBREDR),
    ("org.bluez.Error.Failed", "Operation already in progress", .connectionBusy),
    ("org.bluez.Error.Failed", "Input/output error", .adapterOff("")),
    ("org.bluez.Error.Failed", "Not connected", .notConnected),
    ("org.bluez.Error.Failed", "Operation failed with ATT error: 0x0e", .attributeError(14)),
    ("org.bluez.Error.Failed", "Operation failed with ATT error: 0x05", .pairingNeeded),
    (
      "org.bluez.Error.Failed", "Operation failed with ATT error: zz",
      .other(name: "org.bluez.Error.Failed", message: "Operation failed with ATT error: zz")
    ),
    ("org.bluez.Error.Failed", "", .other(name: "org.bluez.Error.Failed", message: "")),
    ("org.bluez.Error.InProgress", "In Progress", .inProgress),
    ("org.bluez.Error.NotReady", "Resource Not Ready", .adapterOff("")),
    ("org.bluez.Error.NotPermitted", "Write acquired", .notPermitted("Write acquired")),
    ("org.bluez.Error.NotPermitted", "Not paired", .pairingNeeded),
    ("org.bluez.Error.NotSupported", "Operation is not supported", .notSupported),
    ("org.bluez.Error.InvalidArguments", "Invalid Length", .invalidArguments("Invalid Length")),
    ("org.bluez.Error.DoesNotExist", "Does Not Exist", .boardRemoved),
    ("org.freedesktop.DBus.Error.UnknownObject", "no such object", .boardRemoved),
    ("org.freedesktop.DBus.Error.ServiceUnknown", "not provided", .serviceNotRunning),
    ("org.freedesktop.DBus.Error.Spawn.ChildExited", "status 1", .serviceNotRunning),
    ("org.freedesktop.DBus.Error.AccessDenied", "no", .accessDenied("no")),
    ("com.example.Odd", "words", .other(name: "com.example.Odd", message: "words")),
  ])
  func `each answer of BlueZ has its cause`(name: String, message: String, cause: BlueZError) {
    #expect(BlueZError(DBusError.remote(name: name, message: message)) == cause)
  }

  /// Core Specification, volume 3, part F, 3.4.1.1: these are the radio's own refusals; any other code may be the
  /// program's, after it has acted.
  @Test func `an error proves that nothing was written only where it cannot come from the board's program`() {
    let ofTheRadio: Set<UInt8> = [0x01, 0x03, 0x04, 0x05, 0x06, 0x08, 0x0A, 0x0C, 0x0F]
    for code in UInt8.min...UInt8.max {
      #expect(BlueZError.attributeError(code).provesNothingWasWritten == ofTheRadio.contains(code))
    }
    func cause(_ name: String, _ message: String) -> BlueZError {
      BlueZError(DBusError.remote(name: "org.bluez.Error." + name, message: message))
    }
    for (name, message) in [
      ("NotPermitted", "Write not permitted"), ("NotPermitted", "Not paired"), ("Failed", "Not connected"),
      ("NotSupported", ""), ("NotAuthorized", ""), ("InProgress", "In Progress"),
    ] {
      #expect(cause(name, message).provesNothingWasWritten)
    }
    for (name, message) in [
      ("Failed", "Operation failed"), ("Failed", "Operation failed with ATT error: 0x80"), ("Failed", ""),
      ("Failed", "Input/output error"), ("InvalidValueLength", ""), ("Odd", "words"),
    ] {
      #expect(!cause(name, message).provesNothingWasWritten)
    }
    #expect(!BlueZError(DBusError.timedOut).provesNothingWasWritten)
    #expect(!BlueZError(DBusError.disconnected).provesNothingWasWritten)
  }

  @Test(
    arguments: [
      (0x01, "invalid handle (ATT error 0x01)"), (0x0E, "unlikely error (ATT error 0x0e)"),
      (0x11, "insufficient resources (ATT error 0x11)"), (0x13, "value not allowed (ATT error 0x13)"),
      (0x80, "an error of the board's own (ATT error 0x80)"),
      (0x9F, "an error of the board's own (ATT error 0x9f)"),
      (0xFC, "write request rejected (ATT error 0xfc)"), (0xE1, "an error of its service (ATT error 0xe1)"),
      (0x44, "an error that is not defined (ATT error 0x44)"),
    ] as [(UInt8, String)])
  func `an error of the attribute protocol is told by its name`(code: UInt8, words: String) {
    #expect("\(BlueZError.attributeError(code))" == "the board refused: \(words)")
  }

  @Test func `a bus that is denied is told from one that is missing`() {
    let denied = DBusError.unreachable(name: "org.freedesktop.DBus.Error.AccessDenied", message: "no")
    let missing = DBusError.unreachable(name: "org.freedesktop.DBus.Error.FileNotFound", message: "no")
    #expect(BlueZError(denied) == .busDenied("no"))
    #expect(BlueZError(missing) == .busMissing("no"))
    #expect("\(BlueZError.adapterOff("hci0"))".hasPrefix("the Bluetooth adapter hci0 is off"))
  }

  @Test func `the tree keeps what was announced and nothing else`() throws {
    let device = try #require(ObjectPath("/org/bluez/hci0/dev_1"))
    let other = try #require(ObjectPath("/org/bluez/hci0/dev_2"))
    var tree = ObjectTree()
    tree.change(other, "org.bluez.Device1", ["RSSI": .int16(-1)], invalidated: [])
    #expect(tree.properties(other, "org.bluez.Device1") == nil)
    tree.add(device, ["org.bluez.Device1": ["RSSI": .int16(-50), "Name": .string("a")]])
    tree.change(device, "org.bluez.Device1", ["Name": .string("b")], invalidated: ["RSSI"])
    #expect(tree.properties(device, "org.bluez.Device1") == ["Name": .string("b")])
    tree.remove(device, ["org.bluez.Device1"])
    #expect(tree.paths(with: "org.bluez.Device1").isEmpty)
    for number in 0...ObjectTree.maximumObjects {
      tree.add(try #require(ObjectPath("/x/d\(number)")), ["org.bluez.Device1": [:]])
    }
    #expect(tree.paths(with: "org.bluez.Device1").count == ObjectTree.maximumObjects)
  }
}

struct NotificationPolicyTests {
  @Test func `a descriptor that ends alone is not used again`() {
    var policy = NotificationPolicy()
    #expect(policy.usesDescriptor)
    policy.endedAlone()
    #expect(!policy.usesDescriptor)
  }

  @Test func `two young and silent ends in a row are one too many`() {
    var policy = NotificationPolicy()
    policy.endedWithConnection(after: .seconds(1), hasReceived: false)
    policy.endedWithConnection(after: .seconds(1), hasReceived: true)
    policy.endedWithConnection(after: .seconds(1), hasReceived: false)
    policy.endedWithConnection(after: .seconds(2), hasReceived: false)
    policy.endedWithConnection(after: .seconds(1), hasReceived: false)
    #expect(policy.usesDescriptor)
    policy.endedWithConnection(after: .seconds(1), hasReceived: false)
    #expect(!policy.usesDescriptor)
  }
}
