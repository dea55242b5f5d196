import Adapters
public import DeviceModel
import HomeAssistant

extension BridgeSettings {
  /// What Home Assistant would not take of a profile, at the place of the profile that says it.
  public static func problems(with adapter: any Adapter, _ profile: Options) -> [ConfigurationProblem] {
    Discovery.problems(in: adapter.description).map { problem in
      Profile.problem(
        "Home Assistant: \(problem.reason)", of: problem.property, at: problem.reason.profileKeys, in: profile
      )
    }
  }
}

extension DiscoveryProblem.Reason {
  /// The keys of a profile that it may be about, likeliest first.
  fileprivate var profileKeys: [String] {
    switch self {
    case .unknownDeviceClass: ["class"]
    case .unit: ["unit", "class"]
    case .blankUnit: ["unit"]
    case .stateClass: ["state_class", "class"]
    case .negativePrecision: ["precision"]
    case .categoryConfig: ["category"]
    case .noOptions, .repeatedOption, .option: ["options", "values"]
    case .range: ["minimum", "maximum"]
    case .step: ["step"]
    case .textLength: ["length"]
    case .emptyPattern: []
    case .icon: ["icon"]
    case .notSettable: ["set"]
    case .sourceType: ["source_type"]
    case .keyTaken, .identityTaken: []
    }
  }
}
