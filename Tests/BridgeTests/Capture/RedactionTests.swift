import DeviceModel
import Testing

@testable import Bridge

struct RedactionTests {
  @Test func `a secret is blotted out wherever it stands`() {
    let redaction = Redaction(["12345", "abc", ""])
    #expect(
      redaction.blotted([
        "hex": "3132333435 4f3d31", "text": "pin 12345, again 12345", "list": ["xabcx", nil, true],
      ])
        == ["hex": "2a2a2a2a2a 4f3d31", "text": "pin *****, again *****", "list": ["x***x", nil, true]])
    #expect(
      redaction.blotted(["number": 12345, "other": 1234, "fraction": 0.12345]) == [
        "number": nil, "other": 1234, "fraction": nil,
      ])
  }

  @Test func `the longest goes first`() {
    #expect(Redaction(["12", "1234"]).blotted("x1234x12x") == "x****x**x")
  }

  @Test func `without secrets nothing changes`() {
    #expect(Redaction([]).blotted(["a": ["b", 1]]) == ["a": ["b", 1]])
  }

  @Test func `where the traffic itself is secret, only its length is told`() {
    #expect(CaptureRecord.Content.sent(.board, [1, 2]).withoutTraffic == .sent(.board, [0x2A, 0x2A]))
    #expect(
      CaptureRecord.Content.input(.received(.board, [1])).withoutTraffic == .input(.received(.board, [0x2A])))
    #expect(CaptureRecord.Content.input(.refresh).withoutTraffic == .input(.refresh))
  }
}
