import Bridge
import EventLoop
import Glibc

/// `monitor`: what the bridges and devices of a broker do, live; from the broker, as anyone would see it.
@Loop final class Monitor {
  /// Links tell their counters when asked.
  private static let healthInterval = Duration.seconds(5)

  private let display: LiveDisplay
  private var observer: BridgeObserver?
  private var heartbeat: LoopTimer?
  private var seconds = 0

  private init(_ settings: BridgeSettings) {
    display = LiveDisplay(base: settings.baseTopic)
    observer = BridgeObserver(settings, .everything) { [weak self] in self?.take($0) }
  }

  /// Gives the thread to the loop; the process ends from within it.
  nonisolated static func perform(_ options: Invocation.Monitor) -> ExitStatus {
    let settings: BridgeSettings
    do throws(ExitStatus) {
      settings = try LoadedConfiguration.settings(of: options.configuration)
    } catch {
      return error
    }
    StopSignals.block()
    Task { @Loop in
      let monitor = Monitor(settings)
      let signals = StopSignals { exit(ExitStatus.failure.rawValue) }
      if let seconds = options.seconds { _ = LoopTimer(after: .seconds(seconds)) { signals.arrive() } }
      monitor.start()
      await signals.wait()
      await monitor.stop()
      exit(ExitStatus.success.rawValue)
    }
    Loop.run()
    return .success
  }

  private func start() {
    observer?.start()
    beat()
  }

  private func stop() async {
    heartbeat?.cancel()
    await observer?.stop()
    display.finish()
  }

  private func take(_ news: BridgeObserver.News) {
    switch news {
    case .message(let topic, let payload): display.receive(topic, payload)
    case .connected(let server):
      display.brokerIs("connected: \(server)")
      observer?.request("health")
    case .disconnected(let reason): display.brokerIs("not connected: \(reason)")
    }
  }

  private func beat() {
    heartbeat = LoopTimer(after: .seconds(1)) { [weak self] in
      guard let self else { return }
      seconds += 1
      if seconds % Int(Self.healthInterval.components.seconds) == 0 { observer?.request("health") }
      display.refresh()
      beat()
    }
  }
}
