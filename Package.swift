// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("ImmutableWeakCaptures"),
  .treatAllWarnings(as: .error),
]

func library(_ name: String, _ dependencies: Target.Dependency...) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

func test(_ name: String, _ dependencies: Target.Dependency...) -> Target {
  .testTarget(name: name, dependencies: dependencies, swiftSettings: settings)
}

func system(_ name: String, pkgConfig: String? = nil, debian package: String) -> Target {
  .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([package])])
}

let decoders: [Target.Dependency] = [
  "Adapters", "BlueZ", "Bridge", "CDBus", "CMosquitto", "Configuration", "DBus", "DeviceModel",
  "HomeAssistant", "JSON", "MQTT",
]

/// The decoders under any bytes: tests, or with `FUZZ=1` (Tests/Fuzz/run) a program of libFuzzer's.
let fuzzing: Target =
  Context.environment["FUZZ"] == nil
  ? .testTarget(
    name: "FuzzTests", dependencies: decoders + ["sketch2mqtt"], exclude: ["Corpus", "LibFuzzer"],
    swiftSettings: settings)
  : .executableTarget(
    name: "FuzzTests", dependencies: decoders, path: "Tests/FuzzTests", exclude: ["Corpus", "Running"],
    swiftSettings: settings + [.unsafeFlags(["-parse-as-library"])])

/// The list of places that hold addresses takes 24 bytes an entry and is read whole at the start; packed it takes a
/// bit, which is nearly a megabyte less resident. glibc reads it since 2.36; lld comes with Swift.
let packing: [LinkerSetting] = [
  .unsafeFlags(
    ["-use-ld=lld", "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs"], .when(configuration: .release))
]

let package = Package(
  name: "sketch2mqtt",
  targets: [
    system("CMosquitto", pkgConfig: "libmosquitto", debian: "libmosquitto-dev"),
    system("CDBus", pkgConfig: "dbus-1", debian: "libdbus-1-dev"),
    system("CYAML", pkgConfig: "yaml-0.1", debian: "libyaml-dev"),
    system("CJansson", pkgConfig: "jansson", debian: "libjansson-dev"),
    system("CCrypto", pkgConfig: "libcrypto", debian: "libssl-dev"),
    .systemLibrary(name: "CLinux"),

    library("EventLoop", "CLinux"),
    library("DeviceModel"),
    library("JSON", "CJansson", "DeviceModel"),
    library("Cryptography", "CCrypto"),
    library("Adapters", "Cryptography", "DeviceModel", "JSON"),
    library("DBus", "CDBus", "EventLoop"),
    library("BlueZ", "DBus", "DeviceModel", "EventLoop"),
    library("Links", "BlueZ", "CLinux", "DeviceModel", "EventLoop"),
    library("MQTT", "CMosquitto", "EventLoop"),
    library("HomeAssistant", "DeviceModel", "JSON"),
    library("Configuration", "CYAML", "DeviceModel"),
    library(
      "Bridge", "Adapters", "BlueZ", "Configuration", "DeviceModel", "EventLoop", "HomeAssistant", "JSON",
      "Links", "MQTT"),
    library("Simulation", "CLinux", "Cryptography", "DBus", "EventLoop"),
    .executableTarget(
      name: "sketch2mqtt",
      dependencies: [
        "Adapters", "Bridge", "Configuration", "DeviceModel", "EventLoop", "JSON", "Simulation",
      ],
      exclude: ["sketch2mqtt.docc"],
      swiftSettings: settings,
      linkerSettings: packing),

    .target(
      name: "TestSupport", dependencies: ["CLinux", "CMosquitto", "EventLoop"], path: "Tests/TestSupport",
      swiftSettings: settings),
    .executableTarget(
      name: "simulate", dependencies: ["EventLoop", "Simulation"], path: "Tests/Simulate",
      swiftSettings: settings),
    test("EventLoopTests", "CLinux", "EventLoop", "TestSupport"),
    test("DeviceModelTests", "DeviceModel"),
    test("JSONTests", "JSON", "DeviceModel"),
    test("CryptographyTests", "Cryptography", "DeviceModel", "JSON"),
    .testTarget(
      name: "AdaptersTests",
      dependencies: ["Adapters", "Configuration", "DeviceModel", "JSON", "Simulation", "TestSupport"],
      exclude: ["Vectors"], swiftSettings: settings),
    test("DBusTests", "DBus", "EventLoop", "Simulation", "TestSupport"),
    test("BlueZTests", "BlueZ", "DBus", "DeviceModel", "EventLoop", "Simulation", "TestSupport"),
    test("LinksTests", "Links", "DeviceModel", "EventLoop", "TestSupport"),
    test("MQTTTests", "CMosquitto", "MQTT", "EventLoop", "TestSupport"),
    test("HomeAssistantTests", "HomeAssistant", "Adapters", "DeviceModel", "JSON"),
    test("ConfigurationTests", "Configuration", "DeviceModel"),
    test("SimulationTests", "Simulation", "EventLoop", "TestSupport"),
    test(
      "BridgeTests", "Adapters", "Bridge", "CLinux", "Configuration", "Simulation", "DeviceModel", "JSON",
      "EventLoop",
      "TestSupport"),
    test(
      "CommandLineTests", "sketch2mqtt", "Adapters", "Bridge", "DeviceModel", "EventLoop", "Simulation",
      "TestSupport"),
    .testTarget(
      name: "ExampleTests", dependencies: ["EventLoop", "Simulation", "TestSupport"],
      exclude: ["NodeRED"], swiftSettings: settings),
    test("FirmwareTests", "DeviceModel", "EventLoop", "JSON", "Simulation", "TestSupport"),
    test("PackageTests", "TestSupport"),
    fuzzing,
  ],
  swiftLanguageModes: [.v6]
)
