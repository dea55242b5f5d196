import Bridge
import Foundation
import TestSupport
import Testing

@testable import sketch2mqtt

struct HelpTextTests {
  @Test(arguments: Command.allCases)
  func `the help of a command names each of its options`(command: Command) {
    let text = HelpText.of(command)
    #expect(
      text.hasPrefix("Usage: sketch2mqtt \(command.rawValue) ")
        || text.hasPrefix("Usage: sketch2mqtt \(command.rawValue)\n"))
    for option in command.options { #expect(text.contains("  \(option.name)")) }
    let usage = text.prefix { $0 != "\n" }
    for option in command.options where option != .help { #expect(usage.contains("[\(option.name)")) }
    #expect(HelpText.overview().contains("  \(command.rawValue) "))
  }

  @Test(arguments: Command.allCases)
  func `help fits a terminal and ends with one newline`(command: Command) {
    for text in [HelpText.of(command), HelpText.overview()] {
      #expect(text.hasSuffix("\n") && !text.hasSuffix("\n\n"))
      #expect(text.split(separator: "\n").allSatisfy { $0.count <= 100 && !$0.hasSuffix(" ") })
    }
  }

  @Test func `the version is the newest of the list of changes`() throws {
    let changes = try String(contentsOf: Program.packageRoot.appending(path: "CHANGELOG.md"), encoding: .utf8)
    let newest = try #require(changes.firstMatch(of: /(?m)^## (\d+\.\d+\.\d+)/)?.1)
    #expect(newest == BridgeSettings.version)
  }
}

struct ConfigurationPlaceTests {
  private func candidates(_ environment: [String: String]) -> [String] {
    ConfigurationPlace.candidates { environment[$0] }
  }

  @Test func `the user's own configuration comes before the machine's`() {
    #expect(
      candidates(["HOME": "/h"]) == ["/h/.config/sketch2mqtt/config.yaml", "/etc/sketch2mqtt/config.yaml"])
    #expect(
      candidates(["HOME": "/h", "XDG_CONFIG_HOME": "/x"])
        == ["/x/sketch2mqtt/config.yaml", "/etc/sketch2mqtt/config.yaml"])
  }

  @Test(arguments: ["", "relative"])
  func `a directory that is not absolute counts as none`(text: String) {
    #expect(candidates(["XDG_CONFIG_HOME": text, "HOME": text]) == ["/etc/sketch2mqtt/config.yaml"])
    #expect(
      candidates(["XDG_CONFIG_HOME": text, "HOME": "/h"]).first == "/h/.config/sketch2mqtt/config.yaml")
  }
}
