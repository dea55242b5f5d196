import MQTT
import Testing

@Suite struct TopicTests {
  @Test(arguments: [
    ("a/b", "a/b"), ("a/+", "a/b"), ("a/+/c", "a/b/c"), ("#", "a/b"), ("a/#", "a/b/c"), ("a/#", "a"),
    ("+", "a"), ("+/+", "/a"), ("/+", "/a"), ("a/+", "a/"), ("+/#", "a"), ("a//b", "a//b"), ("a/+/b", "a//b"),
    ("$SYS/#", "$SYS/uptime"), ("$SYS/+", "$SYS/uptime"), ("a/$b/+", "a/$b/c"), ("ä/+", "ä/ö"),
  ])
  func `a filter matches`(filter: String, topic: String) throws {
    #expect(try TopicFilter(filter).matches(topic))
  }

  @Test(arguments: [
    ("a/b", "a"), ("a/b", "a/b/c"), ("a/b", "A/b"), ("a/+", "a"), ("a/+", "a/b/c"), ("+", "/a"), ("+", "a/"),
    ("a/#", "ab"), ("a/#", "b"), ("#", "$SYS/uptime"), ("+/uptime", "$SYS/uptime"), ("a/+/c", "a/b"),
    ("a/b/#", "a"),
  ])
  func `a filter does not match`(filter: String, topic: String) throws {
    #expect(try !TopicFilter(filter).matches(topic))
  }

  @Test(arguments: [
    ("", TopicProblem.empty), ("a+", .misplacedWildcard(level: 1)), ("a/+b", .misplacedWildcard(level: 2)),
    ("a/b#", .misplacedWildcard(level: 2)), ("#/a", .misplacedWildcard(level: 1)),
    ("a/#/b", .misplacedWildcard(level: 2)), ("a/##", .misplacedWildcard(level: 2)), ("a\0b", .containsNull),
    (String(repeating: "a", count: 65_536), .tooLong(bytes: 65_536)),
  ])
  func `what is not a filter is refused with its reason`(text: String, expected: TopicProblem) {
    #expect(throws: expected) { try TopicFilter(text) }
  }

  @Test(arguments: [
    ("", TopicProblem.empty), ("a/+", .containsWildcard), ("#", .containsWildcard), ("a\0b", .containsNull),
    (String(repeating: "ä", count: 32_768), .tooLong(bytes: 65_536)),
  ])
  func `what cannot be published to is told with its reason`(text: String, expected: TopicProblem) {
    #expect(TopicName.problem(with: text) == expected)
  }

  @Test(arguments: ["a", "/", "a//b", "sketch2mqtt/pet_door/set", "ä", String(repeating: "a", count: 65_535)])
  func `what can be published to has no problem`(text: String) {
    #expect(TopicName.problem(with: text) == nil)
  }
}
