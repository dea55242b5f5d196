import Bridge
import DeviceModel
import EventLoop
import Glibc

/// A command that asks the running bridge of a configuration, and shows its answer.
enum BridgeQuestion {
  /// Gives the thread to the loop; the process ends from within it.
  ///
  /// - Parameters:
  ///   - limit: For the broker and the answer together.
  ///   - show: The lines to print; on a terminal they may be styled.
  static func perform(
    configuration named: String?, _ request: String, _ parameters: Value.Members, within limit: Duration,
    show: @escaping @Sendable (_ answer: Value, _ isStyled: Bool) -> [String]
  ) -> ExitStatus {
    let settings: BridgeSettings
    do throws(ExitStatus) {
      settings = try LoadedConfiguration.settings(of: named)
    } catch {
      return error
    }
    Task { @Loop in
      do throws(InquiryFailure) {
        let answer = try await settings.askRunningBridge(request, parameters, within: limit)
        let output = StandardStream.output
        output.write(show(answer, output.isTerminal).map { $0 + "\n" }.joined())
        exit(ExitStatus.success.rawValue)
      } catch {
        exit(ExitStatus.failure.because("\(error)").rawValue)
      }
    }
    Loop.run()
    return .success
  }
}
