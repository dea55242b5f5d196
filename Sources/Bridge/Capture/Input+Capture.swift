import DeviceModel

extension Input {
  /// For one line of a capture; nil for what is not recorded.
  var members: Value.Members? {
    switch self {
    case .linkUp(let role, let maximumPacket):
      ["link_up": .text(role.text), "maximum_packet": maximumPacket.map { .integer($0) } ?? .unknown]
    case .linkDown(let role, let reason): ["link_down": .text(role.text), "reason": .text(reason)]
    case .received(let role, let bytes): ["received": .text(role.text), "hex": .text(bytes.hexadecimal)]
    case .sent(let number): ["sent": .integer(Int(clamping: number))]
    case .notSent(let number, let reason, let mayHaveArrived):
      [
        "not_sent": .integer(Int(clamping: number)), "reason": .text(reason),
        "may_have_arrived": .boolean(mayHaveArrived),
      ]
    case .commands(let batch):
      ["commands": .list(batch.commands.map(\.record)), "number": .integer(Int(clamping: batch.number))]
    case .transmit(let number, let bytes):
      ["transmit": .integer(Int(clamping: number)), "hex": .text(bytes.hexadecimal)]
    case .refresh: ["refresh": true]
    case .broker(let isConnected): ["broker": .boolean(isConnected)]
    case .stopping: ["stopping": true]
    case .remembered(let value): ["remembered": value]
    case .listening(let isListening, let reason):
      ["listening": .boolean(isListening), "reason": reason.map { .text($0) } ?? .unknown]
    case .deafened(let isDeaf): ["deafened": .boolean(isDeaf)]
    case .message(let message):
      [
        "message": .text(message.name), "topic": .text(message.topic),
        "retained": .boolean(message.isRetained),
        "hex": .text(message.payload.hexadecimal),
      ]
    case .advertisement(let advertisement): ["advertisement": .object(advertisement.members)]
    case .timerFired, .random, .request: nil
    }
  }

  /// From one line of a capture.
  init?(_ members: Value.Members) {
    let reason = members["reason"]?.asText
    switch members.names.first(where: { $0 != "t" }) {
    case "link_up":
      guard let role = members["link_up"]?.asText else { return nil }
      self = .linkUp(LinkRole(role), maximumPacket: members["maximum_packet"]?.asInteger)
    case "link_down":
      guard let role = members["link_down"]?.asText, let reason else { return nil }
      self = .linkDown(LinkRole(role), reason)
    case "received":
      guard let role = members["received"]?.asText, let bytes = members.bytes else { return nil }
      self = .received(LinkRole(role), bytes)
    case "sent":
      guard let number = members.number("sent") else { return nil }
      self = .sent(number)
    case "not_sent":
      guard let number = members.number("not_sent"), let reason else { return nil }
      self = .notSent(number, reason, mayHaveArrived: members["may_have_arrived"] == true)
    case "commands":
      guard let number = members.number("number"), case .list(let list)? = members["commands"] else {
        return nil
      }
      let commands = list.compactMap { Command($0) }
      guard commands.count == list.count else { return nil }
      self = .commands(CommandBatch(number: number, commands))
    case "transmit":
      guard let number = members.number("transmit"), let bytes = members.bytes else { return nil }
      self = .transmit(number: number, bytes)
    case "refresh": self = .refresh
    case "stopping": self = .stopping
    case "broker":
      guard case .boolean(let isConnected)? = members["broker"] else { return nil }
      self = .broker(isConnected: isConnected)
    case "remembered": self = .remembered(members["remembered"] ?? .unknown)
    case "listening":
      guard case .boolean(let isListening)? = members["listening"] else { return nil }
      self = .listening(isListening, reason)
    case "deafened":
      guard case .boolean(let isDeaf)? = members["deafened"] else { return nil }
      self = .deafened(isDeaf)
    case "message":
      guard let name = members["message"]?.asText, let topic = members["topic"]?.asText,
        let payload = members.bytes
      else { return nil }
      self = .message(
        OutsideMessage(name, topic: topic, payload: payload, isRetained: members["retained"] == true))
    case "advertisement":
      guard case .object(let facts)? = members["advertisement"], let advertisement = Advertisement(facts)
      else {
        return nil
      }
      self = .advertisement(advertisement)
    default: return nil
    }
  }
}

extension Command {
  fileprivate var record: Value {
    ["property": .text(property.text), "verb": .text(verb.rawValue), "value": value]
  }

  fileprivate init?(_ value: Value) {
    guard case .object(let members) = value,
      let property = members["property"]?.asText.flatMap({ PropertyKey($0) }),
      let verb = members["verb"]?.asText.flatMap(Property.Verb.init)
    else { return nil }
    self.init(property, verb: verb, members["value"] ?? .unknown)
  }
}

extension Advertisement {
  fileprivate var members: Value.Members {
    [
      "address": .text(address), "random": .boolean(isRandomAddress),
      "name": name.map { .text($0) } ?? .unknown,
      "rssi": rssiDBm.map { .integer($0) } ?? .unknown,
      "services": .list(services.map { .text($0.description) }),
      "manufacturer_data": .object(
        Value.Members(
          manufacturerData.sorted { $0.key < $1.key }.map { (String($0.key), .text($0.value.hexadecimal)) })),
      "service_data": .object(
        Value.Members(
          serviceData.map { ($0.key.description, .text($0.value.hexadecimal)) }.sorted { $0.0 < $1.0 })),
    ]
  }

  fileprivate init?(_ members: Value.Members) {
    guard let address = members["address"]?.asText else { return nil }
    self.init(
      address: address, isRandomAddress: members["random"] == true, name: members["name"]?.asText,
      rssiDBm: members["rssi"]?.asInteger)
    if case .list(let list)? = members["services"] {
      services = list.compactMap { $0.asText.flatMap { BluetoothUUID($0) } }
    }
    for (company, bytes) in members.byteStrings("manufacturer_data") {
      if let company = UInt16(company) { manufacturerData[company] = bytes }
    }
    for (service, bytes) in members.byteStrings("service_data") {
      if let service = BluetoothUUID(service) { serviceData[service] = bytes }
    }
  }
}

extension Value.Members {
  /// Of the member `hex`.
  var bytes: [UInt8]? { self["hex"]?.asText.flatMap { [UInt8](hexadecimal: $0) } }

  fileprivate func number(_ name: String) -> UInt64? { self[name]?.asInteger.flatMap { UInt64(exactly: $0) } }

  fileprivate func byteStrings(_ name: String) -> [(String, [UInt8])] {
    guard case .object(let members)? = self[name] else { return [] }
    return members.pairs.compactMap { name, value in
      value.asText.flatMap { [UInt8](hexadecimal: $0) }.map { (name, $0) }
    }
  }
}
