import Bridge
import EventLoop
import Glibc
import JSON

/// `health`: what the bridge of a configuration says of itself, when it runs.
enum Health {
  /// Long enough for a busy machine, short enough for who waits.
  static let limit = Duration.seconds(5)

  /// Gives the thread to the loop; the process ends from within it.
  static func perform(configuration named: String?) -> ExitStatus {
    let path: String
    do throws(NoConfiguration) {
      path = try ConfigurationPlace.find(named)
    } catch {
      return fail("\(error)", .configuration)
    }
    let loaded = LoadedConfiguration(path: path)
    guard let settings = loaded.settings else { return fail(loaded.verdict, .configuration) }
    Task { @Loop in
      exit(await ask(settings).rawValue)
    }
    Loop.run()
    return .success
  }

  @Loop private static func ask(_ settings: BridgeSettings) async -> ExitStatus {
    do throws(InquiryFailure) {
      StandardStream.output.write(
        JSON.text(of: try await settings.askRunningBridge("health", within: limit)) + "\n")
      return .success
    } catch {
      return fail("\(error)", .failure)
    }
  }

  private static func fail(_ words: String, _ status: ExitStatus) -> ExitStatus {
    StandardStream.error.write("sketch2mqtt: \(words)\n")
    return status
  }
}
