import Bridge
import Glibc

@main struct Main {
  static func main() {
    // A reader that went away shows as an error of the write, not as the end of the process.
    signal(SIGPIPE, SIG_IGN)
    exit(perform(Array(CommandLine.arguments.dropFirst())).rawValue)
  }

  private static func perform(_ arguments: [String]) -> ExitStatus {
    let invocation: Invocation
    do throws(UsageError) {
      invocation = try Invocation(arguments)
    } catch {
      let command = error.topic ?? arguments.first.flatMap(Command.init).flatMap { $0 == .help ? nil : $0 }
      let topic = command.map { " \($0.rawValue)" } ?? ""
      return ExitStatus.usage.because("\(error)\nTry 'sketch2mqtt help\(topic)'.")
    }
    switch invocation {
    case .help(nil): StandardStream.output.write(HelpText.overview())
    case .help(let command?): StandardStream.output.write(HelpText.of(command))
    case .version: StandardStream.output.write("sketch2mqtt \(BridgeSettings.version)\n")
    case .run(let options): return Run.perform(options)
    case .check(let configuration): return Check.perform(configuration: configuration)
    case .checkProfile(let request): return ProfileCheck.perform(request)
    case .monitor(let options): return Monitor.perform(options)
    case .capture(let options): return Capture.perform(options)
    case .replay(let file): return Replay.perform(file: file)
    case .health(let configuration): return Health.perform(configuration: configuration)
    case .scan(let options): return Scan.perform(options)
    case .explore(let options): return Explore.perform(options)
    case .demo(let options): return Demo.perform(options)
    }
    return .success
  }
}
