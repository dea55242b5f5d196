import DeviceModel
import Testing

struct HexadecimalTests {
  @Test func `every byte is read back as it was written`() {
    let all = (0...255).map { UInt8($0) }
    #expect(all.hexadecimal.prefix(8) == "00010203" && all.hexadecimal.suffix(4) == "feff")
    #expect([UInt8](hexadecimal: all.hexadecimal) == all)
    #expect([UInt8](hexadecimal: all.hexadecimal.uppercased()) == all)
    #expect([UInt8](hexadecimal: "") == [])
  }

  @Test func `people write capitals and spaces`() {
    #expect(
      [0x0A, 0xFF].capitalHexadecimal(separator: " ") == "0A FF" && [UInt8]().capitalHexadecimal() == "")
    #expect([UInt8](spacedHexadecimal: "0a FF\t01".utf8) == [0x0A, 0xFF, 1])
    #expect(
      [UInt8](spacedHexadecimal: "0a F".utf8) == nil && [UInt8](spacedHexadecimal: "0a\n01".utf8) == nil)
  }

  @Test(arguments: ["0", "0g", "0 ", "+1", "0x10", "äö", "１２"])
  func `anything else is refused`(text: String) {
    #expect([UInt8](hexadecimal: text) == nil)
  }
}
