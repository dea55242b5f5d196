import DeviceModel

/// From what is written to what it means; collects every problem on the way.
struct ConfigurationCheck {
  let kinds: [String: Kind]
  let kindNames: [String]
  let documents: DocumentReader
  var problems: [ConfigurationProblem] = []

  init(kinds: [Kind], documents: DocumentReader) {
    self.documents = documents
    self.kinds = Dictionary(kinds.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    kindNames = kinds.map(\.name)
  }

  /// What is right of it, completed by defaults; whether that is all of it, the problems say.
  mutating func configuration(_ value: LocatedValue) -> Configuration {
    let options = Configuration.schema.check(value, path: "", problems: &problems)
    let mqtt = self.mqtt(options.object("mqtt"))
    let homeAssistant = self.homeAssistant(options.object("homeassistant"), mqtt: mqtt)
    return Configuration(
      mqtt: mqtt, homeAssistant: homeAssistant, bluetooth: bluetooth(options.object("bluetooth")),
      output: options.text("output").flatMap(Configuration.Output.init) ?? .json, accept: accept(options),
      logLevel: options.text("log_level").flatMap(LogLevel.init(rawValue:)) ?? .info,
      devices: devices(options.objects("devices")))
  }

  private func accept(_ options: Options) -> AcceptancePolicy {
    switch options["accept"] {
    case .text("all")?: .all
    case .list?: .only(options.texts("accept").compactMap { BoardPlace($0) })
    default: .off
    }
  }

  private mutating func mqtt(_ options: Options?) -> Configuration.Broker {
    let written = options?.texts("servers") ?? []
    let servers = ((options?.text("server")).map { [$0] } ?? written).compactMap(
      Configuration.BrokerAddress.init)
    let settings = Configuration.Broker(
      servers: servers.isEmpty
        ? [Configuration.BrokerAddress("mqtt://localhost:1883")].compactMap(\.self) : servers,
      username: options?.text("username"), password: options?.secret("password"),
      authorities: options?.text("ca"), certificate: options?.text("certificate"), key: options?.text("key"),
      clientID: options?.text("client_id"),
      version: (options?.text("version")).flatMap(Configuration.Broker.Version.init),
      keepAlive: options?.duration("keep_alive") ?? .seconds(30),
      queueLimit: options?.integer("queue") ?? 1000,
      baseTopic: options?.text("base_topic") ?? "sketch2mqtt", bridge: options?.text("bridge") ?? "main")
    if let options { checkSecurity(of: settings, options) }
    return settings
  }

  private mutating func checkSecurity(of settings: Configuration.Broker, _ options: Options) {
    for name in ["ca", "certificate", "key"] where options.isWritten(name) {
      guard let path = options.text(name) else { continue }
      if let obstacle = FileContents.obstacle(toReading: path) {
        problems.append(
          options.problem(
            "\(options.quoted(name, limit: 200)) \(obstacle)", at: name, expectation: "a file with PEM in it")
        )
      }
    }
    for (name, other) in [("certificate", "key"), ("key", "certificate")]
    where options.isWritten(name) && !options.isWritten(other) {
      problems.append(options.problem("'\(name)' without '\(other)'", at: name, expectation: "both or none"))
    }
    if options.isWritten("password"), !options.isWritten("username") {
      problems.append(options.problem("'password' without 'username'", at: "password", expectation: "both"))
    }
    let tls = ["ca", "certificate", "key"].first { options.isWritten($0) }
    if let tls, !settings.servers.contains(where: \.isSecure) {
      problems.append(
        options.problem(
          "'\(tls)' has no effect", at: tls, expectation: "a server that begins with mqtts://",
          severity: .warning))
    }
  }

  private mutating func homeAssistant(_ options: Options?, mqtt: Configuration.Broker)
    -> Configuration.HomeAssistant
  {
    let prefix = options?.text("prefix") ?? "homeassistant"
    if let options, prefix == mqtt.baseTopic {
      problems.append(
        options.problem("the same as mqtt.base_topic", at: "prefix", expectation: "a topic of its own"))
    }
    return Configuration.HomeAssistant(
      discovery: (options?.text("discovery")).flatMap(Configuration.HomeAssistant.Discovery.init) ?? .device,
      prefix: prefix, statusTopic: options?.text("status_topic") ?? "homeassistant/status")
  }

  private func bluetooth(_ options: Options?) -> Configuration.Bluetooth {
    let adapter = (options?.text("adapter")).map { text in
      BluetoothAddress(text).map(Configuration.Bluetooth.Adapter.address) ?? .name(text)
    }
    return Configuration.Bluetooth(adapter: adapter, bus: options?.text("bus"))
  }
}
