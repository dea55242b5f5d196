import DeviceModel
import Testing

struct `Nearest names` {
  private let names = [
    "server", "servers", "username", "password", "base_topic", "ca", "id", "pet_door", "power_plug",
  ]

  @Test(arguments: [
    ("sever", "server"), ("sevrer", "server"), ("user_name", "username"), ("Password", "password"),
    ("passwd", "password"),
    ("base-topic", "base_topic"), ("baseTopic", "base_topic"), ("petdoor", "pet_door"), ("plug_power", nil),
    ("cas", "ca"),
    ("xyz", nil), ("", nil), ("z", nil), ("iid", "id"), ("powerplug", "power_plug"),
  ])
  func `the nearest name is suggested, if one is near`(text: String, name: String?) {
    #expect(nearestName(to: text, among: names) == name)
  }

  @Test func `a very long text costs nothing and suggests nothing`() {
    #expect(nearestName(to: String(repeating: "server", count: 100_000), among: names) == nil)
  }
}
