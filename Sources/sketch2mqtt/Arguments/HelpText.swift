import Bridge
import DeviceModel

/// What `help` prints, rendered from the commands and options themselves.
enum HelpText {
  static func overview() -> String {
    let commands = Command.allCases.map { ($0.rawValue, $0.summary) }
    return """
      sketch2mqtt \(BridgeSettings.version): Arduino boards as MQTT devices, for Home Assistant and everything else.

      Usage: sketch2mqtt COMMAND [OPTION]...

      Commands:
      \(columns(commands))

      'sketch2mqtt help COMMAND' explains one. The exit status is 0 when all went well, \
      \(ExitStatus.failure.rawValue) after
      a failure, \(ExitStatus.usage.rawValue) for a wrong command line and \
      \(ExitStatus.configuration.rawValue) for a wrong configuration.

      """
  }

  static func of(_ command: Command) -> String {
    let options = command.options.map { option in
      (option.value.map { "\(option.name) \($0)" } ?? option.name, option.explanation)
    }
    var usage = command.options.filter { $0 != .help }
      .map { option in "[\(option.name)\(option.value.map { " \($0)" } ?? "")]" }
    if let operand = command.operand { usage.append(operand.isRequired ? operand.name : "[\(operand.name)]") }
    let sentence = command.summary.prefix(1).uppercased() + command.summary.dropFirst()
    return """
      Usage: \((["sketch2mqtt", command.rawValue] + usage).joined(separator: " "))

      \(sentence).

      Options:
      \(columns(options))
      \(notes(on: command))
      """
  }

  private static func notes(on command: Command) -> String {
    var notes = ""
    if command.options.contains(.config) {
      notes += """

        The configuration is the first of these that exists:
        \(ConfigurationPlace.explained.map { "  \($0)" }.joined(separator: "\n"))

        """
    }
    switch command {
    case .run:
      notes += """

        SIGHUP reads the configuration again; with a mistake in it the old one stays in force.
        SIGTERM and SIGINT (Ctrl-C) announce the bridge as offline and end it; a second one ends it at once.
        Log lines go to standard error, in journald's form when that is where it leads.

        """
    case .health:
      notes += """

        Prints the bridge's answer as JSON. Without one within \(Health.limit.configurationText) the exit status is \
        \(ExitStatus.failure.rawValue).

        """
    case .monitor:
      notes += """

        On a terminal the present state, drawn anew at each change; into a pipe or a file a line for each
        change. It listens on the broker only, and asks the bridge for the counters of its links.

        """
    case .capture:
      notes += """

        The bridge must be running; it goes on as always. DEVICE is its id. Secrets of the configuration are
        blotted out wherever they occur. 'sketch2mqtt replay FILE' reads the file.

        """
    case .replay:
      notes += """

        Nothing is connected: the adapter of this version is told what was captured, and what it wants done
        is shown below, with what it had sent then.

        """
    case .scan, .explore:
      notes += """

        The bridge has to run: its radio is used, and it is asked over the broker. A scan takes
        \(Scan.usualSeconds) s, \(Scan.longestSeconds) at most. A device may be given by its name as well. Boards that the bridge
        itself holds are left undisturbed.

        """
    case .demo:
      notes += """

        Needs mosquitto and dbus-daemon (Debian packages of these names). All of it listens on
        127.0.0.1 only, on free ports, and is gone afterwards.

        With --firmware the boards are the sketches of Arduino/ as an UNO runs them. 'make firmware'
        builds these and the simulator; then start the demo in the folder of the sources.

        """
    case .check:
      notes += """

        With --profile it shows what would be published for each of the lines, and what would be sent
        for each command. The exit status is \(ExitStatus.failure.rawValue) when a line is not understood.

        """
    case .version, .help: break
    }
    return notes
  }

  private static func columns(_ rows: [(String, String)]) -> String {
    let width = (rows.map(\.0.count).max() ?? 0) + 3
    return
      rows
      .map { "  " + $0.0 + String(repeating: " ", count: width - $0.0.count) + $0.1 }
      .joined(separator: "\n")
  }
}
