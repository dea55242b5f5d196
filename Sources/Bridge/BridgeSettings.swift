import Configuration
import DeviceModel
import Glibc
import HomeAssistant
import MQTT

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
/// What decides which broker is talked to, and how.
struct BrokerSettings: Hashable, Sendable {
  var servers: [ServerAddress] = [ServerAddress(host: "localhost")]
  var username: String?
  var password: String?
  /// nil: made from the bridge's name and the machine.
  var clientID: String?
  var onlyVersion: MQTTVersion?
  var keepAlive = Duration.seconds(30)
  var authorityFile: String?
  var certificateFile: String?
  var keyFile: String?
  var isInsecure = false
  var outgoingLimit = 1000

  /// Of one message, either way. Bytes.
  static let payloadLimit = 1 << 20

  func settings(topics: Topics) -> MQTTSettings {
    var settings = MQTTSettings(
      servers: servers, clientID: clientID ?? ClientID.default(bridge: topics.bridge))
    settings.username = username
    settings.password = password
    settings.version = onlyVersion.map { .only($0) } ?? .newest
    settings.keepAlive = keepAlive
    settings.tls = TLSSettings(
      authorityFile: authorityFile, certificateFile: certificateFile, keyFile: keyFile, isInsecure: isInsecure
    )
    settings.outgoingLimit = outgoingLimit
    settings.payloadLimit = Self.payloadLimit
    settings.will = Publication(topic: topics.bridgeState, text: "offline", retain: true)
    return settings
  }
}

/// A client id that is the same after every restart and differs between bridges and machines.
enum ClientID {
  static func `default`(bridge: String) -> String { "sketch2mqtt-\(bridge)-\(hash(of: machine))" }

  /// systemd's machine id, which is not to be shown itself; else the host's name.
  private static var machine: String {
    for path in ["/etc/machine-id", "/var/lib/dbus/machine-id"] {
      if case .content(let bytes) = StateFile(path: path).read(), bytes.count > 16 {
        return String(decoding: bytes, as: UTF8.self)
      }
    }
    var name = [CChar](repeating: 0, count: 256)
    gethostname(&name, name.count - 1)
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// FNV-1a, 32 bits: the same text gives the same eight digits on every machine.
  static func hash(of text: String) -> String {
    var hash: UInt32 = 2_166_136_261
    for byte in text.utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }
}
