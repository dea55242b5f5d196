public import DeviceModel

extension Beacon {
  public static let kind = Kind(
    name: "beacon",
    summary: "A Bluetooth tag on keys, a bag or a cat: whether it is there, and how near.",
    options: BeaconSettings.schema,
    example: ["uuid": "e2c56db5-dffb-48d2-b060-d0f5a71096e0", "major": 1, "minor": 2],
    links: []
  ) { options, problems in BeaconSettings(options, problems: &problems).map { Beacon($0) } }
}
