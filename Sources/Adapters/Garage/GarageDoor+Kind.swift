public import DeviceModel

extension GarageDoor {
  /// Over Bluetooth LE on demand unless the owner says that the board can be held: a classic one serves one central at a time, and the
  /// family's phones must get in.
  public static let kind: Kind = {
    var kind = Kind(
      name: "garage_door",
      summary: "A garage door that opens for a PIN, and by itself when somebody comes home.",
      options: GarageSettings.schema,
      example: [
        "persons": [["name": "Anna", "pin": "48151", "owntracks": "anna/phone"]], "open_as": "Anna",
        "master_pin": "62342",
      ],
      links: [requirement(isNewer: true)], requests: PINManagement.requests,
      linksOfDevice: { options in [requirement(isNewer: options.secret("key") != nil)] }
    ) { options, problems in
      GarageSettings(options, &problems).map { GarageDoor($0) }
    }
    // PINs.
    kind.trafficIsSecret = true
    return kind
  }()

  /// A classic board's packets would run together in a stream, and everybody on the network could send them.
  private static func requirement(isNewer: Bool) -> LinkRequirement {
    var requirement = LinkRequirement(
      transports: isNewer ? [.ble, .tcp, .serial] : [.ble], session: .onDemand, speaks: false)
    requirement.wiredSession = .held
    requirement.condition = "tcp and serial for a newer board, whose 'key' stands in the options"
    return requirement
  }
}
