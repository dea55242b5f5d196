import Testing

@testable import Adapters

struct `A regular expression` {
  private func groups(_ pattern: String, _ text: String) throws -> [String: String]? {
    let pattern = try Pattern(pattern)
    let input = text.unicodeScalars.map(\.value)
    guard let parts = pattern.match(input) else { return nil }
    var found: [String: String] = [:]
    for (name, part) in zip(pattern.names, parts) {
      if let part { found[name] = LenientText.string(of: input[part]) }
    }
    return found
  }

  @Test(arguments: [
    ("abc", "abc", true), ("abc", "abcd", false), ("abc", "ab", false), ("", "", true), ("", "a", false),
    ("a.c", "a°c", true), ("a.c", "a\nc", false), ("[a-c]+", "abccba", true), ("[^a-c]+", "xyz", true),
    ("[^a-c]+", "xaz", false), ("[]a]+", "]a", true), ("[a-]+", "a-", true), ("[\\d.]+", "1.5", true),
    ("\\d{3}", "123", true), ("\\d{3}", "12", false), ("\\d{2,}", "1234", true), ("\\d{2,3}", "1234", false),
    ("x{0}", "", true), ("a|b|cd", "cd", true), ("a|b|cd", "c", false), ("(a|b)*c", "ababc", true),
    ("(?:ab)+", "abab", true), ("a?b??", "ab", true), ("^a$", "a", true), ("\\w\\W\\s\\S\\D", "a- bc", true),
    ("\\x41\\t\\.", "A\t.", true), ("(?i)temp", "TeMp", true), ("(?i)[a-c]", "B", true),
    ("temp", "Temp", false),
    ("(a*)*", "aaaa", true), ("(a|a)*", "aaaa", true), ("(|a)+", "aaa", true), ("\\{\\}", "{}", true),
    ("°C", "°C", true), ("[°é]", "é", true), ("[\\D]", "a", true), ("[\\D]", "1", false), ("a||b", "", true),
  ])
  func `it is like a text or not`(pattern: String, text: String, isLike: Bool) throws {
    #expect(try (groups(pattern, text) != nil) == isLike)
  }

  @Test func `named groups take their part, the leftmost way first`() throws {
    #expect(
      try groups(#"T=(?<t>-?\d+(?:\.\d+)?)\s*C(?:, H=(?<h>\d+))?"#, "T=-3.5 C, H=41") == [
        "t": "-3.5", "h": "41",
      ])
    #expect(try groups(#"T=(?<t>-?\d+)C(?:, H=(?<h>\d+))?"#, "T=3C") == ["t": "3"])
    #expect(try groups("(?<a>.*),(?<b>.*)", "1,2,3") == ["a": "1,2", "b": "3"])
    #expect(try groups("(?<a>.*?),(?<b>.*)", "1,2,3") == ["a": "1", "b": "2,3"])
    #expect(try groups("(?P<a>x+)(?<b>x*)", "xxx") == ["a": "xxx", "b": ""])
    #expect(try groups("(?:(?<a>a)|(?<b>b))+", "ab") == ["a": "a", "b": "b"])
  }

  @Test(arguments: [
    ("(", "'(' is not ended by ')'", 1), (")", "a ')' without", 1), ("[a", "'[' is not ended", 1),
    ("a{2", "'{' is not ended", 4), ("a{,2}", "no number behind '{'", 3), ("a{3,2}", "a repetition", 7),
    ("a{501}", "a repetition", 7), ("*a", "nothing to repeat", 1), ("a**", "behind a repetition", 3),
    ("(?=a)", "looking around", 2), ("(?<!a)", "looking around", 2), (#"(a)\1"#, "reference to a group", 5),
    (#"\b"#, "means nothing", 2), (#"\x4"#, "two digits", 3), ("(?<>a)", "a group's name", 4),
    ("(?<a>x)(?<a>y)", "a second group", 12), ("a^b", "in the middle", 2), ("a$b", "in the middle", 2),
    ("[z-a]", "no range", 5), (#"a\"#, "nothing behind", 3), ("(?i:a)", "only (?:…)", 2),
  ])
  func `a mistake is told with its place`(pattern: String, words: String, place: Int) throws {
    let error = #expect(throws: PatternError.self) { try Pattern(pattern) }
    #expect(error?.what.contains(words) == true, "\(error as Any)")
    #expect(error?.description.hasSuffix("at character \(place)") == true, "\(error as Any)")
  }

  @Test func `what would be too large is refused before it is made`() {
    for pattern in [
      "((((a{500}){500}){500}){500})", String(repeating: "(", count: 40) + "a",
      String(repeating: "a", count: 1001),
    ] {
      #expect(throws: PatternError.self) { try Pattern(pattern) }
    }
  }

  /// With backtracking these take 2³⁰ steps and more.
  @Test(arguments: ["(a+)+b", "(a|a)*b", "(a|aa)+$b", "(.*)(.*)(.*)(.*)(.*)x", "(a?){200}a{200}b"])
  func `an unlucky pattern costs as little as any other`(pattern: String) throws {
    guard let pattern = try? Pattern(pattern) else { return }
    let input = Array(repeating: UInt32(0x61), count: 4000)
    #expect(pattern.match(input) == nil)
  }

  @Test func `the reach of a pattern in what may go on`() throws {
    let pattern = try Pattern("s:(?<s>[01]);")
    func reach(_ text: String) -> Pattern.Reach {
      pattern.reach(in: text.unicodeScalars.map(\.value), from: 0)
    }
    #expect(reach("s:1;t") == .match(length: 4, mayGoOn: false))
    #expect(reach("s:1") == .beginning)
    #expect(reach("") == .beginning)
    #expect(reach("t:1") == .none)
    #expect(try Pattern("a+").reach(in: [0x61, 0x61], from: 1) == .match(length: 1, mayGoOn: true))
  }
}
