import Bridge
import Configuration
import DeviceModel
import EventLoop
import Glibc

/// `sketch2mqtt run`: the bridge, until a signal ends it.
enum RunCommand {
  static func perform(_ run: Invocation.Run) -> ExitStatus {
    let file: SettingsFile
    do throws(SettingsFile.Missing) {
      file = try SettingsFile(run.configuration)
    } catch {
      StandardStream.error.write("sketch2mqtt: \(error)\n")
      return .configuration
    }
    let content = file.read()
    guard let settings = content.settings, let configuration = content.configuration else {
      for problem in content.problems { StandardStream.error.write("\(problem)\n") }
      StandardStream.error.write("sketch2mqtt: not started: the configuration has mistakes\n")
      return .configuration
    }
    let level = run.logLevel ?? configuration.logLevel
    SignalWatch.block(BridgeProcess.signals)
    Task { @Loop in
      let process = BridgeProcess(settings, file: file, level: level)
      for problem in content.problems { process.log.warning("\(problem)") }
      await process.runToEnd()
      Loop.stop()
    }
    Loop.run()
    return .success
  }
}

/// The bridge as the process's one task, steered by signals.
@Loop final class BridgeProcess {
  nonisolated static let signals = [SIGTERM, SIGINT, SIGHUP]

  let log: Log
  private let bridge: Bridge
  private var watch: SignalWatch?
  private var end: CheckedContinuation<Void, Never>?
  private var isEnding = false

  init(_ settings: BridgeSettings, file: SettingsFile, level: LogLevel) {
    let writer = LogWriter()
    log = Log(level: level) { writer.write($0, $1) }
    bridge = Bridge(settings, log: log) {
      let content = file.read()
      guard let settings = content.settings else {
        return .failure(ConfigurationProblems(lines: content.problems.map(\.description)))
      }
      return .success(settings)
    }
  }

  /// Returns when SIGTERM or SIGINT has ended the bridge cleanly; a second one ends the process at once.
  func runToEnd() async {
    watch = SignalWatch(Self.signals) { [weak self] signal in self?.received(signal) }
    log.info("sketch2mqtt \(Version.current) starts")
    bridge.start()
    await withCheckedContinuation { end = $0 }
    await bridge.stop()
    log.info("stopped")
    watch?.cancel()
  }

  private func received(_ signal: Int32) {
    switch signal {
    case SIGHUP: _ = bridge.reload()
    case _ where isEnding: exit(ExitStatus.failure.rawValue)
    default:
      isEnding = true
      log.info("stopping")
      end?.resume()
      end = nil
    }
  }
}
