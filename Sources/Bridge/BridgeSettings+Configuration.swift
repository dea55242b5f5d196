public import Configuration
public import DeviceModel
import HomeAssistant
import Links
import MQTT

extension BridgeSettings {
  /// Makes what the configuration says, and names what only the kinds themselves can find wrong with it.
  ///
  /// - Parameters:
  ///   - kinds: All kinds of device; the configuration was checked against the same.
  ///   - environment: Where the state folder is looked for.
  /// - Returns: nil for the settings when one of the problems is an error.
  public static func make(
    from configuration: Configuration, kinds: [Kind], environment: (String) -> String?
  ) -> (settings: BridgeSettings?, problems: [ConfigurationProblem]) {
    var problems: [ConfigurationProblem] = []
    var settings = BridgeSettings()
    settings.baseTopic = configuration.mqtt.baseTopic
    settings.bridgeName = configuration.mqtt.bridge
    settings.broker = BrokerSettings(configuration.mqtt)
    settings.discoveryForm =
      DiscoverySettings.Form(rawValue: configuration.homeAssistant.discovery.rawValue) ?? .device
    settings.bluetooth = configuration.bluetooth
    settings.prefix = configuration.homeAssistant.prefix
    settings.statusTopic = configuration.homeAssistant.statusTopic
    settings.output = DeviceSetup.OutputForm(rawValue: configuration.output.rawValue) ?? .json
    settings.kinds = kinds
    settings.accept = configuration.accept
    if let folder = StateFolder.path(environment: environment) {
      settings.stateFile = "\(folder)/\(configuration.mqtt.bridge).json"
      settings.memoryFile = "\(folder)/\(configuration.mqtt.bridge).memory.json"
      settings.addedDevicesFile = "\(folder)/\(configuration.mqtt.bridge).added.json"
    }
    settings.devices = configuration.devices.compactMap { settings.setup(for: $0, problems: &problems) }
    let isWrong = problems.contains { $0.severity == .error }
    return (isWrong ? nil : settings, problems)
  }

  /// Makes what one device is to be; nil when its kind is unknown or cannot make anything of its options.
  func setup(for device: Configuration.Device, problems: inout [ConfigurationProblem]) -> DeviceSetup? {
    guard let kind = kinds.first(where: { $0.name == device.kind }),
      let adapter = kind.makeAdapter(device.options, &problems)
    else { return nil }
    if let profile = device.options.object("profile") {
      problems += Self.problems(with: adapter, profile)
    }
    problems += device.links.compactMap { $0.problem(of: device) }
    return DeviceSetup(device, kind: kind, adapter: adapter, output: output)
  }
}

extension BrokerSettings {
  init(_ settings: Configuration.Broker) {
    servers = settings.servers.map {
      ServerAddress(host: $0.host, port: UInt16(clamping: $0.port), usesTLS: $0.isSecure)
    }
    username = settings.username
    password = settings.password?.reveal()
    clientID = settings.clientID
    onlyVersion = settings.version.map { $0 == .v311 ? .v311 : .v5 }
    keepAlive = settings.keepAlive
    authorityFile = settings.authorities
    certificateFile = settings.certificate
    keyFile = settings.key
    outgoingLimit = settings.queueLimit
  }
}

extension DeviceSetup {
  init(
    _ device: Configuration.Device, kind: Kind, adapter: any Adapter, output: OutputForm
  ) {
    source = device
    id = device.id
    name = device.name
    self.kind = kind
    self.adapter = adapter
    area = device.area
    icon = device.icon
    showsLastSeen = device.showsLastSeen
    showsRSSI = device.showsRSSI
    showsReconnects = device.showsReconnects
    self.output = output
    let requirements = kind.tailored(to: device.options).links
    links = device.links.map { link in
      LinkSetup(settings: link, speaks: requirements.first { $0.role == link.role }?.speaks ?? true)
    }
    filters = { key in
      let filter = device.filters[key]
      guard filter.minimumChange != nil || filter.minimumInterval != nil else { return nil }
      return PropertyFilter(minimumChange: filter.minimumChange, minimumInterval: filter.minimumInterval)
    }
  }
}

extension Configuration.Link {
  /// What only the links themselves know to be impossible.
  fileprivate func problem(of device: Configuration.Device) -> ConfigurationProblem? {
    switch target {
    case .serial(let port) where SerialSpeed(baud: port.baud) == nil:
      let speeds = SerialSpeed.all.map(String.init).joined(separator: ", ")
      return ConfigurationProblem(
        "serial ports do not run at \(port.baud) bits per second", at: location,
        path: "\(device.id).link.baud",
        expectation: "one of \(speeds)")
    default: return nil
    }
  }
}
