public import DeviceModel

extension GarageDoor {
  /// On demand unless the owner says that the board can be held: a classic one serves one central at a time, and the
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
      links: [LinkRequirement(transports: [.ble], session: .onDemand, speaks: false)],
      requests: PINManagement.requests
    ) { options, problems in
      GarageSettings(options, &problems).map { GarageDoor($0) }
    }
    // PINs.
    kind.trafficIsSecret = true
    return kind
  }()
}
