import Configuration
import DeviceModel
import HomeAssistant

/// All that a bridge is to be, checked.
public struct BridgeSettings: Sendable {
  /// The bridge's own version, a release number.
  public static let version = "0.1.0"

  /// What all topics begin with.
  public internal(set) var baseTopic = "sketch2mqtt"
  var bridgeName = "main"
  var broker = BrokerSettings()
  var bluetooth = Configuration.Bluetooth(adapter: nil, bus: nil)
  var discoveryForm = DiscoverySettings.Form.device
  var prefix = "homeassistant"
  var statusTopic = BirthMessage.topic
  var output = DeviceSetup.OutputForm.json
  var devices: [DeviceSetup] = []
  /// Beside the devices.
  var accept = AcceptancePolicy.off
  /// A path; nil keeps nothing across restarts.
  var stateFile: String?
  /// Where adapters' memories are kept, beside it.
  var memoryFile: String?
  /// Where devices are kept that were added while the bridge ran, beside it.
  var addedDevicesFile: String?
  /// All kinds of device, also of those that are added while the bridge runs.
  var kinds: [Kind] = []

  /// Where Home Assistant says that it has started; nil when it is not told anything.
  var birthTopic: String? { discoveryForm == .off ? nil : statusTopic }

  var discovery: DiscoverySettings {
    DiscoverySettings(
      form: discoveryForm, prefix: prefix, base: baseTopic, bridge: bridgeName, softwareVersion: Self.version)
  }
}
