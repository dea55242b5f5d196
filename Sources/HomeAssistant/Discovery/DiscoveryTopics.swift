import DeviceModel

/// The topics that discovery messages are published on and point to.
struct DiscoveryTopics {
  var settings: DiscoverySettings

  // Home Assistant drops messages whose topic has any other character in these places.
  static func sanitized(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { scalar in
          switch scalar {
          case "a"..."z", "A"..."Z", "0"..."9", "_", "-": scalar
          default: "_"
          }
        }))
  }

  /// Names the device in topics, as its identifier and before every unique id.
  func object(_ device: DeviceID) -> String { Self.sanitized("sketch2mqtt_\(settings.bridge)_\(device)") }
  /// The bridge as a device; `bridge` is no device's id.
  var bridgeObject: String { Self.sanitized("sketch2mqtt_\(settings.bridge)_bridge") }

  func config(object: String) -> String { "\(settings.prefix)/device/\(object)/config" }
  func config(object: String, _ item: DiscoveryRecord.Item) -> String {
    let standsAlone = Platform(rawValue: item.platform)?.standsAlone ?? false
    return "\(settings.prefix)/\(item.platform)/\(object)\(standsAlone ? Self.alone : "")/\(item.key)/config"
  }

  /// Behind the object in the topic of what stands alone: under the object itself Home Assistant would take it for a
  /// part of the device message, and remove it with that. No device's id has a `-` in it.
  static let alone = "-alone"

  /// What the bridge publishes and hears.
  var bridge: Topics { Topics(base: settings.base, bridge: settings.bridge) }
}
