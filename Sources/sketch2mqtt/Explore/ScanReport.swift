import DeviceModel

/// Who was heard, as `scan` shows it.
struct ScanReport {
  private let devices: [Value.Members]

  /// - Parameter answer: Of the request `ble/scan`.
  init(_ answer: Value) { devices = answer.member("devices").elements }

  func lines(isStyled: Bool) -> [String] {
    guard !devices.isEmpty else { return ["nobody was heard"] }
    var table = TextTable(widths: [17, 4, 24, 31], rightAligned: [1])
    table.add(["ADDRESS", "RSSI", "NAME", "WHAT IT SAYS"])
    for device in devices {
      table.add([
        device.text("address"), device["rssi"]?.shown ?? "", device.text("name"), Self.words(of: device),
      ])
    }
    var lines = table.lines
    if isStyled, !lines.isEmpty { lines[0] = "\u{1B}[1m\(lines[0])\u{1B}[0m" }
    return lines + ["", devices.count == 1 ? "1 device" : "\(devices.count) devices"]
  }

  /// Its beacon's numbers, its services, or who made it.
  private static func words(of device: Value.Members) -> String {
    if case .object(let beacon)? = device["beacon"] {
      return "\(beacon.text("format")) \(beacon.text("identity"))"
    }
    let services = (device["services"]?.words ?? []).map { uuid in
      AssignedName.of(uuid).map { "\(uuid) \($0)" } ?? uuid
    }
    if !services.isEmpty { return services.joined(separator: ", ") }
    guard case .object(let data)? = device["manufacturer_data"], let company = data.names.first else {
      return ""
    }
    return "company \(company)"
  }
}
