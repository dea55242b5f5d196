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
    let rows = table.lines
    var lines = [isStyled ? "\u{1B}[1m\(rows[0])\u{1B}[0m" : rows[0]]
    for (device, row) in zip(devices, rows.dropFirst()) {
      lines.append(row)
      // Who asks wants to copy them whole.
      let identity = device.member("beacon").text("identity")
      if !identity.isEmpty {
        lines.append("  " + TextTable.cut(TextTable.plain(identity), to: TextTable.columns - 2))
      }
    }
    return lines + ["", devices.count == 1 ? "1 device" : "\(devices.count) devices"]
  }

  /// Its beacon's format, its services, or who made it.
  private static func words(of device: Value.Members) -> String {
    let beacon = device.member("beacon").text("format")
    if !beacon.isEmpty { return beacon }
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
