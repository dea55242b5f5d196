import Foundation
import TestSupport
import Testing

struct ImportTests {
  @Test func `every file in Sources imports only what its target may`() throws {
    let sources = try SwiftSource.all()
    #expect(Set(sources.map(\.target)).isSuperset(of: ["EventLoop", "DeviceModel", "sketch2mqtt"]))
    for source in sources {
      let wrong = TargetTable.violations(of: source.imports, in: source.target)
      #expect(wrong.isEmpty, "\(source.path) imports \(wrong.sorted().joined(separator: ", "))")
    }
  }

  @Test func `the manifest gives each target only what it may import`() async throws {
    let targets = try await Manifest.targets()
    #expect(targets.contains { $0.name == "sketch2mqtt" && $0.type == "executable" })
    for target in targets {
      switch target.type {
      case "regular" where target.isTestSupport, "executable" where target.isTestSupport, "test": continue
      case "system":
        #expect(TargetTable.systemLibraries.contains(target.name), "\(target.name) is not in the table")
      default:
        #expect(TargetTable.mayImport[target.name] != nil, "\(target.name) is not in the table")
        let wrong = TargetTable.violations(of: target.dependencies, in: target.name)
        #expect(wrong.isEmpty, "\(target.name) depends on \(wrong.sorted().joined(separator: ", "))")
      }
    }
  }

  @Test func `a file imports nothing that its target does not declare`() async throws {
    let declared = Dictionary(
      uniqueKeysWithValues: try await Manifest.targets().map { ($0.name, $0.dependencies) })
    for source in try SwiftSource.all() {
      let undeclared = source.imports.subtracting(TargetTable.toolchain).subtracting(
        declared[source.target] ?? [])
      #expect(
        undeclared.isEmpty, "\(source.path) imports \(undeclared.sorted()) without a declared dependency")
    }
  }

  @Test(arguments: [
    ("import Foundation", ["Foundation"]),
    ("public import DeviceModel", ["DeviceModel"]),
    ("@preconcurrency import MQTT", ["MQTT"]),
    ("@_spi(Proof) @testable private import struct JSON.Value", ["JSON"]),
    ("  import Glibc // import Dispatch", ["Glibc"]),
    ("/* import Dispatch */", []),
    ("let important = 1", []),
  ])
  func `an import is found whatever stands before it`(text: String, modules: [String]) {
    #expect(SwiftSource(path: "JSON/x.swift", text: text).imports == Set(modules))
  }

  @Test func `the table refuses what it does not name`() {
    #expect(TargetTable.violations(of: ["DeviceModel", "Glibc"], in: "JSON").isEmpty)
    #expect(TargetTable.violations(of: ["MQTT"], in: "Adapters") == ["MQTT"])
    #expect(TargetTable.violations(of: ["Foundation"], in: "Bridge") == ["Foundation"])
    #expect(TargetTable.violations(of: ["JSON"], in: "Unheard") == ["JSON"])
  }
}

/// Package.swift as SwiftPM reads it.
struct Manifest: Decodable {
  let targets: [Target]

  struct Target: Decodable {
    let name: String
    let type: String
    let path: String?
    private let declared: [[String: [String?]]]

    var dependencies: Set<String> { Set(declared.flatMap(\.values).compactMap { $0.first ?? nil }) }
    var isTestSupport: Bool { path?.hasPrefix("Tests/") == true }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      name = try container.decode(String.self, forKey: .name)
      type = try container.decode(String.self, forKey: .type)
      path = try container.decodeIfPresent(String.self, forKey: .path)
      declared = try container.decode([[String: [String?]]].self, forKey: .declared)
    }

    enum CodingKeys: String, CodingKey {
      case name, type, path
      case declared = "dependencies"
    }
  }

  /// Reads it with a scratch directory of its own: a running `swift test` may hold the lock of the usual one.
  static func targets() async throws -> [Target] {
    let scratch = FileManager.default.temporaryDirectory.appending(path: "manifest-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: scratch) }
    let result = try await Program.run(
      "swift", ["package", "dump-package", "--scratch-path", scratch.path], deadline: .seconds(120))
    try #require(result.status == 0, "swift package dump-package: \(result.errors)")
    return try JSONDecoder().decode(Manifest.self, from: Data(result.output.utf8)).targets
  }
}
