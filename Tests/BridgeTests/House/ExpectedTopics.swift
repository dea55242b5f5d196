/// What may stand on the broker for a bridge with plugs, and nothing else.
struct ExpectedTopics {
  var base = "sketch2mqtt"
  var bridge = "main"
  var prefix = "homeassistant"
  var form = Form.device
  var output = "json"
  var plugs: [String]

  enum Form { case device, components, off }

  static let properties = ["power", "mode", "schedule", "next_switch", "running", "clash", "drift"]
  static let plugEntities = [
    "switch/@/power", "select/@/mode", "sensor/@/next_switch", "sensor/@/running", "binary_sensor/@/clash",
    "binary_sensor/@/drift",
  ]
  static let bridgeEntities = ["binary_sensor/@/connection", "sensor/@/version"]

  var all: Set<String> {
    var topics = Set(["state", "info", "devices"].map { "\(base)/bridge/\(bridge)/\($0)" })
    topics.formUnion(discovery(of: "bridge", Self.bridgeEntities))
    for plug in plugs {
      topics.insert("\(base)/\(plug)/availability")
      if output != "values" { topics.insert("\(base)/\(plug)") }
      if output != "json" { topics.formUnion(Self.properties.map { "\(base)/\(plug)/\($0)" }) }
      topics.formUnion(discovery(of: plug, Self.plugEntities))
    }
    return topics
  }

  private func discovery(of device: String, _ entities: [String]) -> [String] {
    let object = "sketch2mqtt_\(bridge)_\(device)"
    return switch form {
    case .off: []
    case .device: ["\(prefix)/device/\(object)/config"]
    case .components:
      entities.map { entity in
        "\(prefix)/"
          + entity.split(separator: "/").map { $0 == "@" ? object[...] : $0 }.joined(separator: "/")
          + "/config"
      }
    }
  }
}

extension House {
  func topics(
    of plugs: [String]? = nil, base: String = "sketch2mqtt", form: ExpectedTopics.Form = .device,
    prefix: String = "homeassistant", output: String = "json"
  ) -> Set<String> {
    ExpectedTopics(base: base, prefix: prefix, form: form, output: output, plugs: plugs ?? plugIDs).all
  }
}
