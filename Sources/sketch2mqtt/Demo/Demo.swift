import Bridge
import DeviceModel
import EventLoop
import Glibc
import Simulation

/// `demo`: a broker of its own, simulated boards and the bridge, all in one process but the broker.
@Loop final class Demo {
  nonisolated static let base = "sketch2mqtt"

  private let options: Invocation.Demo
  private let directory: ScratchDirectory
  private let display = LiveDisplay(base: base)
  private let writer = LogWriter()
  private let log: Log
  private var broker: PrivateBroker?
  private var radio: DemoRadio?
  private var boards: [any DemoBoard] = []
  private var bridge: Bridge?
  private var watcher: BridgeObserver?
  private var failure: DemoFailure?

  private init(_ options: Invocation.Demo, in directory: ScratchDirectory) {
    self.options = options
    self.directory = directory
    log = Log(level: options.logLevel ?? .warning) { [display, writer] level, text in
      if display.showsLog { display.log(level, text) } else { writer.write(level, text) }
    }
  }

  /// Gives the thread to the loop; the process ends from within it.
  nonisolated static func perform(_ options: Invocation.Demo) -> ExitStatus {
    StopSignals.block()
    Task { @Loop in
      exit(await run(options).rawValue)
    }
    Loop.run()
    return .success
  }

  private static func run(_ options: Invocation.Demo) async -> ExitStatus {
    guard let directory = ScratchDirectory("sketch2mqtt-demo") else {
      return fail(.system("a temporary directory", errno))
    }
    // What the boards leave on disk goes with the rest, also after a hasty end.
    setenv("TMPDIR", directory.path, 1)
    let demo = Demo(options, in: directory)
    let signals = StopSignals {
      demo.broker?.process.kill()
      demo.radio?.kill()
      directory.remove()
      exit(ExitStatus.failure.rawValue)
    }
    do throws(DemoFailure) {
      try await demo.start()
    } catch {
      await demo.stop()
      return fail(error)
    }
    if let seconds = options.seconds { _ = LoopTimer(after: .seconds(seconds)) { signals.arrive() } }
    demo.broker?.process.whenEnded {
      demo.failure = .brokerEnded(demo.broker?.process.lastWords ?? [])
      signals.arrive()
    }
    await signals.wait()
    await demo.stop()
    return demo.failure.map(fail) ?? .success
  }

  private static func fail(_ failure: DemoFailure) -> ExitStatus {
    ExitStatus.failure.because("\(failure)")
  }

  private func start() async throws(DemoFailure) {
    let firmware = FirmwareFiles()
    if options.runsFirmware {
      let missing = firmware.missing(["GarageDoor", "PetDoor", "PowerPlug", "Rover"])
      guard missing.isEmpty else { throw .noFirmware(missing) }
    }
    let broker = try await PrivateBroker.start(in: directory)
    self.broker = broker
    let radio = try await DemoRadio.start()
    self.radio = radio
    if options.runsFirmware {
      boards.append(try await DemoFirmwarePlug.start(firmware, in: directory))
      boards.append(try await DemoFirmwareDoor.start(firmware, on: radio))
      boards.append(try await DemoFirmwareRover.start(firmware, on: radio))
      boards.append(try await DemoFirmwareGarage.start(firmware, on: radio))
    } else {
      boards.append(try DemoPlug())
      boards += [DemoDoor(on: radio), DemoRover(on: radio), DemoGarage(on: radio)]
      boards += [DemoWeather(on: radio), DemoTag(on: radio)]
      boards.append(try DemoGreenhouse())
      boards.append(try DemoDrone())
    }
    let settings = try settings(port: broker.port)
    announce(port: broker.port)
    watch(settings)
    let bridge = Bridge(settings, log: log)
    self.bridge = bridge
    bridge.start()
  }

  private func stop() async {
    await bridge?.stop()
    await watcher?.stop()
    display.finish()
    for board in boards { await board.stop() }
    await radio?.stop()
    broker?.process.whenEnded(nil)
    await broker?.stop()
    directory.remove()
  }

  /// Read from a file like anyone's, so that what is shown is what a person would write.
  private func settings(port: UInt16) throws(DemoFailure) -> BridgeSettings {
    let text = """
      mqtt:
        server: mqtt://127.0.0.1:\(port)
      \(radio?.section ?? "")devices:
      \(boards.map(\.configuration).joined(separator: "\n"))

      """
    guard directory.write(text, to: "config.yaml") else { throw .system(directory.path, errno) }
    let folder = directory.path
    let loaded = LoadedConfiguration(path: "\(folder)/config.yaml") { $0 == "STATE_DIRECTORY" ? folder : nil }
    guard let settings = loaded.settings else { throw .configuration(loaded.errors.map(\.description)) }
    return settings
  }

  private func announce(port: UInt16) {
    let boards = self.boards.map { "  \($0.title)\n" }.joined()
    let examples = self.boards.flatMap(\.examples)
      .map { "  \($0.command(port: port, base: Self.base))\n" }.joined()
    display.announce(
      """
      sketch2mqtt \(BridgeSettings.version), an MQTT broker on port \(port), and simulated boards:
      \(boards)
      Watch it, or listen, from another terminal:
        \(CommandLine.arguments.first ?? "sketch2mqtt") monitor --config \(directory.path)/config.yaml
        mosquitto_sub -p \(port) -v -t '\(Self.base)/#'
      Switch something:
      \(examples)
      \(options.seconds.map { "Ends after \($0) seconds, or at Ctrl-C." } ?? "Ctrl-C ends it.")


      """)
  }

  /// What is shown comes from the broker, as anyone would see it.
  private func watch(_ settings: BridgeSettings) {
    watcher = BridgeObserver(settings, .everything) { [display] news in
      if case .message(let topic, let payload) = news { display.receive(topic, payload) }
    }
    watcher?.start()
    for case let drone as DemoDrone in boards {
      drone.locate { [weak watcher] topic, payload in watcher?.command(topic, payload) }
    }
  }
}
