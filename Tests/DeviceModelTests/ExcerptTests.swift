import DeviceModel
import Testing

struct ExcerptTests {
  @Test func `an excerpt is short, whatever marks a character bears`() {
    let text = "a" + String(repeating: "\u{301}", count: 300)
    #expect(text.excerpt.unicodeScalars.count == 41)
    #expect("forty".excerpt == "forty")
  }

  @Test(arguments: ["\u{1B}", "\u{7F}", "\u{9B}", "\u{2028}", "\u{202E}", "\n"])
  func `what moves a cursor or turns the text is shown as a dot`(scalar: String) {
    #expect("a\(scalar)b".excerpt == "a.b")
  }

  @Test func `a time with more behind it than can be of a time is none`() {
    let text = "2026-11-30T07:21:02." + String(repeating: "1", count: 43) + "Z"
    #expect(Timestamp(iso8601: text) != nil)
    #expect(Timestamp(iso8601: text + "trailing") == nil)
  }
}
