import Bridge
import Configuration
import DeviceModel
import EventLoop
import Glibc

/// `run`: the bridge, until a signal ends it.
@Loop final class Run {
  private let path: String
  private let demandedLevel: LogLevel?
  private let writer = LogWriter()
  private let log: Log
  /// What the configuration said last; a level that was asked for over MQTT stays until that changes.
  private var configuredLevel: LogLevel?

  private init(path: String, logLevel: LogLevel?) {
    self.path = path
    demandedLevel = logLevel
    log = Log(level: logLevel ?? .info) { [writer] level, text in writer.write(level, text) }
  }

  /// Gives the thread to the loop; the process ends from within it.
  nonisolated static func perform(_ options: Invocation.Run) -> ExitStatus {
    let path: String
    do throws(NoConfiguration) {
      path = try ConfigurationPlace.find(options.configuration)
    } catch {
      return ExitStatus.configuration.because("\(error)")
    }
    StopSignals.block()
    Task { @Loop in
      exit(await Run(path: path, logLevel: options.logLevel).untilStopped().rawValue)
    }
    Loop.run()
    return .success
  }

  private func untilStopped() async -> ExitStatus {
    let settings: BridgeSettings
    do throws(ConfigurationProblems) {
      settings = try load().get()
    } catch {
      for line in error.lines { log.error(line) }
      log.error("nothing runs with a wrong configuration")
      return .configuration
    }
    log.info("sketch2mqtt \(BridgeSettings.version) with \(path)")
    let bridge = Bridge(settings, log: log) { [weak self] in
      self?.load() ?? .failure(ConfigurationProblems(lines: []))
    }
    let manager = ServiceManager(environment: Configuration.processEnvironment)
    let signals = StopSignals {
      manager.reloading()
      _ = bridge.reload()
      manager.ready()
    } onInsisting: {
      exit(ExitStatus.failure.rawValue)
    }
    bridge.start()
    manager.ready()
    await signals.wait()
    log.info("stopping")
    manager.stopping()
    await bridge.stop()
    return .success
  }

  /// Reads the file; warnings are logged, errors are the caller's to tell.
  private func load() -> Result<BridgeSettings, ConfigurationProblems> {
    let loaded = LoadedConfiguration(path: path)
    for problem in loaded.problems where problem.severity == .warning {
      log.warning("\(problem.location): \(problem.words)")
    }
    guard let settings = loaded.settings, let configuration = loaded.configuration else {
      return .failure(ConfigurationProblems(lines: loaded.errors.map(\.description)))
    }
    if demandedLevel == nil, configuration.logLevel != configuredLevel {
      configuredLevel = configuration.logLevel
      log.level = configuration.logLevel
    }
    return .success(settings)
  }
}
