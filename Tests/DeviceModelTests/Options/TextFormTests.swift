import DeviceModel
import Testing

struct `Forms of text` {
  @Test(arguments: [
    ("FFE0", "0000ffe0-0000-1000-8000-00805f9b34fb"),
    ("0000180f", "0000180f-0000-1000-8000-00805f9b34fb"),
    ("6E400001-B5A3-F393-E0A9-E50E24DCCA9E", "6e400001-b5a3-f393-e0a9-e50e24dcca9e"),
    ("6e400001b5a3f393e0a9e50e24dcca9e", "6e400001-b5a3-f393-e0a9-e50e24dcca9e"),
    ("ffffffff-ffff-ffff-ffff-ffffffffffff", "ffffffff-ffff-ffff-ffff-ffffffffffff"),
  ])
  func `a UUID is read in any of its forms and written in one`(text: String, long: String) {
    #expect(BluetoothUUID(text)?.description == long)
    #expect(BluetoothUUID(text) == BluetoothUUID(long))
    #expect(BluetoothUUID(text).flatMap { BluetoothUUID(bytes: $0.bytes) } == BluetoothUUID(long))
  }

  @Test func `a UUID has 16 bytes, the first written one first`() {
    let uuid = BluetoothUUID(bytes: [UInt8](0..<16))
    #expect(uuid?.description == "00010203-0405-0607-0809-0a0b0c0d0e0f")
    #expect(uuid?.bytes == [UInt8](0..<16))
    #expect(BluetoothUUID(bytes: [UInt8](0..<15)) == nil)
    #expect(BluetoothUUID(bytes: [UInt8](0..<17)) == nil)
  }

  @Test(arguments: [
    "", "FFE", "FFE00", "GFE0", "+FE0", "6e400001-b5a3-f393-e0a9-e50e24dcca9",
    "6e4000010b5a3-f393-e0a9-e50e24dcca9e",
    "6e400001-b5a3-f393-e0a9-e50e24dcca9-", "ＦFE0",
  ])
  func `another text is no UUID`(text: String) {
    #expect(BluetoothUUID(text) == nil)
  }

  @Test(arguments: ["sketch2mqtt", "home/attic/bridge", "Küche", "a b", "a$"])
  func `a topic to publish on`(text: String) {
    guard case .accepted(.text(text)) = OptionRule.topic.parse(text) else {
      Issue.record("refused")
      return
    }
  }

  @Test(arguments: [
    "", "/", "/a", "a/", "a//b", "+", "a/#", "a\0", "a\nb", "a\u{202E}b", "a\u{FEFF}", "a\u{FFFF}", "$SYS/a",
    String(repeating: "a", count: 201),
  ])
  func `no topic to publish on`(text: String) {
    guard case .refused(let reason, _) = OptionRule.topic.parse(text) else {
      Issue.record("accepted")
      return
    }
    #expect(reason != nil)
  }
}
