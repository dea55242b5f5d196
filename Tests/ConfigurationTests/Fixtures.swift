import Configuration
import DeviceModel
import Foundation
import Testing

/// Kinds as the registry would give them.
let kinds: [Kind] = [
  Kind(
    name: "power_plug", summary: "",
    options: OptionSchema([.integer("slots", 1...255, default: 10, summary: "")]),
    links: [LinkRequirement(transports: [.tcp], session: .polled(every: .seconds(20)))]
  ) { _, _ in nil },
  Kind(name: "pet_door", summary: "", links: [LinkRequirement(transports: [.ble])]) { _, _ in nil },
  Kind(
    name: "uart", summary: "",
    options: OptionSchema([
      .choice("framing", ["line", "packet"], default: "line", summary: ""),
      .choice("encoding", ["text", "hex", "base64"], default: "text", summary: ""),
    ]),
    links: [LinkRequirement(transports: [.ble, .tcp, .udp, .serial], speaks: false)]
  ) { _, _ in nil },
  Kind(
    name: "tv_volume", summary: "",
    links: [
      LinkRequirement(transports: [.ble]), LinkRequirement(role: "microphone", transports: [.capture, .udp]),
    ]
  ) { _, _ in nil },
  Kind(
    name: "garage_door", summary: "",
    options: OptionSchema([
      .list(
        "persons",
        of: .object(
          OptionSchema([
            .text("name", required: true, summary: ""), .secret("pin", 5...5, required: true, summary: ""),
          ])), summary: "")
    ]), links: [LinkRequirement(transports: [.ble], session: .onDemand)]
  ) { _, _ in nil },
  Kind(
    name: "rover", summary: "",
    options: OptionSchema([.choice("form", ["classic", "lines"], default: "classic", summary: "")]),
    links: [LinkRequirement(transports: [.ble, .tcp])]
  ) { _, _ in nil },
  Kind(name: "beacon", summary: "", links: []) { _, _ in nil },
  Kind(
    name: "drone", summary: "", options: OptionSchema([.text("owntracks", summary: "")]),
    links: [LinkRequirement(transports: [.udp], standard: HostPort(host: "192.168.1.1", port: 5556))]
  ) { _, _ in nil },
]

func read(
  _ text: String, environment: [String: String] = [:], isWorldReadable: Bool = false
) -> (configuration: Configuration?, problems: [ConfigurationProblem]) {
  Configuration.read(
    Array(text.utf8), file: "c.yaml", kinds: kinds, environment: { environment[$0] },
    isWorldReadable: isWorldReadable)
}

/// All that is wrong with a text, line by line.
func problems(_ text: String, environment: [String: String] = [:]) -> String {
  read(text, environment: environment).problems.map(\.description).joined(separator: "\n")
}

/// The configuration of a text that has no problem at all.
func configuration(
  _ text: String, environment: [String: String] = [:],
  sourceLocation: Testing.SourceLocation = #_sourceLocation
) throws -> Configuration {
  let (configuration, problems) = read(text, environment: environment)
  #expect(problems.map(\.description) == [], sourceLocation: sourceLocation)
  return try #require(configuration, sourceLocation: sourceLocation)
}

/// A directory that is gone when the test is over.
func withDirectory(_ body: (URL) throws -> Void) throws {
  let directory = FileManager.default.temporaryDirectory.appending(path: "configuration-\(UUID())")
  try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: directory) }
  try body(directory)
}

extension URL {
  func write(_ text: String, permissions: Int = 0o600) throws {
    try Data(text.utf8).write(to: self)
    try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: path)
  }
}
