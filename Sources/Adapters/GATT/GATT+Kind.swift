public import DeviceModel

extension GATT {
  public static let kind = Kind(
    name: "gatt",
    summary:
      "Any Bluetooth LE device with services of its own: chosen values of it, read, polled, notified or set.",
    options: GATTSettings.schema,
    example: ["services": ["battery", "device_information", "environmental_sensing"]],
    links: [LinkRequirement(transports: [.ble], carries: .attributes)]
  ) { options, problems in GATTSettings(options, problems: &problems).map { GATT($0) } }
}
