import DeviceModel
import Testing

@testable import sketch2mqtt

struct InvocationTests {
  @Test(arguments: [
    (["run"], Invocation.run(.init())),
    (["run", "--config", "a.yaml"], .run(.init(configuration: "a.yaml"))),
    (["run", "--config=a=b.yaml"], .run(.init(configuration: "a=b.yaml"))),
    (["run", "--config=-x"], .run(.init(configuration: "-x"))),
    (["run", "--config", "-"], .run(.init(configuration: "-"))),
    (["run", "--config", "a", "--log-level", "debug"], .run(.init(configuration: "a", logLevel: .debug))),
    (["run", "--log-level=error", "--config", "a"], .run(.init(configuration: "a", logLevel: .error))),
    (["run", "--config", "a", "--config", "b"], .run(.init(configuration: "b"))),
    (["run", "--"], .run(.init())),
    (["check"], .check(configuration: nil)),
    (["check", "--config", "ü b.yaml"], .check(configuration: "ü b.yaml")),
    (["health"], .health(configuration: nil)),
    (["health", "--config", "a.yaml"], .health(configuration: "a.yaml")),
    (["monitor"], .monitor(.init())),
    (["monitor", "--config=a", "--seconds", "3"], .monitor(.init(configuration: "a", seconds: 3))),
    (["scan"], .scan(.init())),
    (
      ["scan", "--seconds=3", "--name", "S2M", "--service", "180F", "--rssi=-80"],
      .scan(.init(seconds: 3, service: BluetoothUUID(assigned: 0x180F), namePrefix: "S2M", leastRSSI: -80))
    ),
    (["demo"], .demo(.init())),
    (["demo", "--seconds", "30"], .demo(.init(seconds: 30))),
    (["demo", "--firmware", "--seconds=3"], .demo(.init(seconds: 3, runsFirmware: true))),
    (["demo", "--seconds=86400", "--log-level", "info"], .demo(.init(seconds: 86400, logLevel: .info))),
    (["version"], .version),
    (["--version"], .version),
    (["help"], .help(nil)),
    (["--help"], .help(nil)),
    (["-h"], .help(nil)),
    (["help", "run"], .help(.run)),
    (["help", "--", "demo"], .help(.demo)),
    (["run", "--help"], .help(.run)),
    (["run", "-h"], .help(.run)),
    (["check", "--config", "a", "--help"], .help(.check)),
    (["version", "--help"], .help(.version)),
  ])
  func `a good line is understood`(line: [String], invocation: Invocation) throws {
    #expect(try Invocation(line) == invocation)
  }

  @Test(
    arguments: [
      ([], UsageError.noCommand, "which command?"),
      ([""], .unknownCommand(""), "unknown command ''"),
      (["rnu"], .unknownCommand("rnu"), "unknown command 'rnu'; did you mean 'run'?"),
      (["RUN"], .unknownCommand("RUN"), "unknown command 'RUN'; did you mean 'run'?"),
      (["help", "chek"], .unknownCommand("chek"), "unknown command 'chek'; did you mean 'check'?"),
      (["--hepl"], .unknownOption("--hepl", of: nil), "unknown option '--hepl'; did you mean '--help'?"),
      (["--config", "a"], .unknownOption("--config", of: nil), "unknown option '--config'"),
      (["--"], .unknownOption("--", of: nil), "unknown option '--'"),
      (
        ["run", "--confg", "a"], .unknownOption("--confg", of: .run),
        "unknown option '--confg' of 'run'; did you mean '--config'?"
      ),
      (
        ["run", "--confg=a"], .unknownOption("--confg", of: .run),
        "unknown option '--confg' of 'run'; did you mean '--config'?"
      ),
      (["run", "-c", "a"], .unknownOption("-c", of: .run), "unknown option '-c' of 'run'"),
      (
        ["run", "--seconds", "3"], .unknownOption("--seconds", of: .run),
        "unknown option '--seconds' of 'run'"
      ),
      (["check", "--log-level", "info"], .unknownOption("--log-level", of: .check), nil),
      (["run", "--config"], .missingValue(.config), "--config needs the name of a file"),
      (["run", "--config="], .missingValue(.config), nil),
      (["run", "--config", ""], .missingValue(.config), nil),
      (["run", "--config", "--log-level", "info"], .missingValue(.config), nil),
      (["run", "--help=yes"], .unwantedValue(.help), "--help takes no value"),
      (
        ["run", "--log-level", "inof"], .badValue(.logLevel, "inof", nearest: "info"),
        "--log-level: 'inof' is not one of error, warning, info, debug; did you mean 'info'?"
      ),
      (["run", "--log-level", "3"], .badValue(.logLevel, "3", nearest: nil), nil),
      (
        ["scan", "--rssi=-128"], .badValue(.rssi, "-128", nearest: nil),
        "--rssi: '-128' is not a whole number from -127 to 20, as in --rssi=-80"
      ),
      (["scan", "--rssi", "-80"], .missingValue(.rssi), nil),
      (
        ["scan", "--service", "battery"], .badValue(.service, "battery", nearest: nil),
        "--service: 'battery' is not a UUID such as 180f"
      ),
      (["explore", "--rssi=-80", "x"], .unknownOption("--rssi", of: .explore), nil),
      (["demo", "--seconds", "0"], .badValue(.seconds, "0", nearest: nil), nil),
      (["demo", "--seconds=-1"], .badValue(.seconds, "-1", nearest: nil), nil),
      (["demo", "--seconds", "+1"], .badValue(.seconds, "+1", nearest: nil), nil),
      (["demo", "--seconds", "1.5"], .badValue(.seconds, "1.5", nearest: nil), nil),
      (["demo", "--seconds", "86401"], .badValue(.seconds, "86401", nearest: nil), nil),
      (
        ["demo", "--seconds", "99999999999999999999"],
        .badValue(.seconds, "99999999999999999999", nearest: nil), nil
      ),
      (
        ["run", "config.yaml"], .surplusArgument("config.yaml", of: .run),
        "'run' takes no argument 'config.yaml'"
      ),
      (["run", "--", "--config"], .surplusArgument("--config", of: .run), nil),
      (["help", "run", "demo"], .surplusArgument("demo", of: .help), nil),
      (["version", "-"], .surplusArgument("-", of: .version), nil),
    ] as [([String], UsageError, String?)])
  func `a wrong line says what is wrong with it`(line: [String], error: UsageError, text: String?) {
    #expect(throws: error) { try Invocation(line) }
    if let text { #expect(error.description == text) }
  }
}
