import Adapters
import Bridge
import Configuration
import DeviceModel

/// `check --profile`: what is wrong with a profile, else what would be published and sent.
enum ProfileCheck {
  struct Request: Equatable {
    var profile: String
    var samples: SampleLines.Source?
  }

  /// The exit status is a failure when a sample was not understood.
  static func perform(_ request: Request) -> ExitStatus {
    var (options, problems) = Configuration.loadDocument(path: request.profile, schema: Profile.schema)
    let hasErrors = problems.contains { $0.severity == .error }
    let profile = hasErrors ? nil : options.flatMap { Profile($0, problems: &problems) }
    if let options, let profile { problems += BridgeSettings.problems(with: profile, options) }
    let errors = problems.count { $0.severity == .error }
    StandardStream.error.write(problems.map { "\($0)\n" }.joined())
    guard let profile, errors == 0 else {
      let count = errors == 1 ? "1 mistake" : "\(errors) mistakes"
      return ExitStatus.configuration.because("\(request.profile): \(count)")
    }
    let samples: [String]
    do throws(SampleLines.Failure) {
      samples =
        try request.samples.map { source throws(SampleLines.Failure) in try SampleLines.read(source) } ?? []
    } catch {
      return ExitStatus.failure.because("\(error)")
    }
    let trial = ProfileTrial(profile, samples: samples)
    StandardStream.output.write("\(request.profile): no mistakes\n")
    StandardStream.output.write(trial.report.map { "\($0)\n" }.joined())
    guard trial.failures == 0 else {
      return ExitStatus.failure.because("\(trial.failures) of \(trial.samples) samples not understood")
    }
    return .success
  }
}
