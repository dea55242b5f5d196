import DeviceModel

/// What an item's owner may choose.
struct BeaconSettings: Hashable, Sendable {
  var pattern: BeaconPattern
  /// Of the log-distance law.
  var exponent = 2.0
  /// Up to here it is immediate, m.
  var immediate = 0.5
  /// Up to here it is near, m.
  var near = 3.0
  /// Heard more weakly it is not there, dBm; nil for any strength.
  var minimumRSSI: Int?
  /// At 1 m, dBm, in place of what the beacon says.
  var measuredPower: Int?
  var silence = Duration.seconds(30)

  init(_ pattern: BeaconPattern) { self.pattern = pattern }

  static let schema = OptionSchema(
    [
      OptionField("uuid", .rule(.beaconUUID), summary: "Of an iBeacon or an AltBeacon: 32 digits."),
      .integer("major", 0...65535, summary: "Of an iBeacon or an AltBeacon; left out, any."),
      .integer("minor", 0...65535, summary: "Of an iBeacon or an AltBeacon; left out, any."),
      OptionField("namespace", .rule(.hexadecimal(10)), summary: "Of Eddystone-UID: 20 digits."),
      OptionField("instance", .rule(.hexadecimal(6)), summary: "Of Eddystone-UID, 12 digits; left out, any."),
      .number(
        "exponent", 1...6, default: 2,
        summary: "How fast the strength falls with the distance: 2 in a room, up to 4 through walls."),
      .number(
        "immediate", 0.05...50, default: 0.5, summary: "Up to this distance it is immediate, in metres."),
      .number("near", 0.1...100, default: 3, summary: "Up to this distance it is near, in metres."),
      .integer(
        "minimum_rssi", -127...0,
        summary: "Heard more weakly than this, in dBm, it does not come home; left out, any strength counts."),
      .integer(
        "measured_power", -127 ... -1,
        summary: "The strength at 1 m, in dBm, in place of what the beacon says of itself."),
      .duration(
        "silence", .seconds(2)...(.seconds(3600)), default: .seconds(30),
        summary: "Not heard for so long, it is not home."),
    ], alternatives: [.init(["uuid", "namespace"], isRequired: true)])

  /// Nil when there is no going on; the reason is among the problems.
  init?(_ options: Options, problems: inout [ConfigurationProblem]) {
    let number: (String) -> UInt16? = { options.integer($0).map { UInt16(clamping: $0) } }
    let other: [String]
    if let uuid = options.text("uuid").flatMap({ BluetoothUUID($0) }) {
      pattern = BeaconPattern(.numbered(uuid: uuid, major: number("major"), minor: number("minor")))
      other = ["instance"]
    } else if let namespace = options.bytes("namespace") {
      pattern = BeaconPattern(.eddystone(namespace: namespace, instance: options.bytes("instance")))
      other = ["major", "minor"]
    } else {
      return nil
    }
    exponent = options.number("exponent") ?? exponent
    immediate = options.number("immediate") ?? immediate
    near = options.number("near") ?? near
    minimumRSSI = options.integer("minimum_rssi")
    measuredPower = options.integer("measured_power")
    silence = options.duration("silence") ?? silence
    for name in other where options.isWritten(name) {
      problems.append(options.problem("'\(name)' is of the other format of beacon", at: name))
    }
    guard immediate < near else {
      problems.append(options.problem("'immediate' is not below 'near'", at: "immediate"))
      return nil
    }
  }
}

extension OptionRule {
  /// A UUID written in full: nothing advertises one of the assigned ones.
  static let beaconUUID = OptionRule(
    "UUID", expectation: "a UUID such as e2c56db5-dffb-48d2-b060-d0f5a71096e0"
  ) { text in
    guard text.utf8.count >= 32, let uuid = BluetoothUUID(text) else { return .refused() }
    return .accepted(.text(uuid.description))
  }

  /// So many bytes, two digits each, in either case, perhaps after `0x`.
  static func hexadecimal(_ bytes: Int) -> OptionRule {
    OptionRule("hexadecimal", expectation: "\(2 * bytes) hexadecimal digits") { text in
      let digits = text.hasPrefix("0x") ? text.dropFirst(2) : text[...]
      guard let read = try? ByteEncoding.hex.decode(Array(digits.utf8)), read.count == bytes else {
        return .refused()
      }
      return .accepted(.text(read.hexadecimal))
    }
  }
}

extension Options {
  /// Of an option that ``OptionRule/hexadecimal(_:)`` has checked.
  fileprivate func bytes(_ name: String) -> [UInt8]? {
    text(name).flatMap { try? ByteEncoding.hex.decode(Array($0.utf8)) }
  }
}
