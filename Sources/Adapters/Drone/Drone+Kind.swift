public import DeviceModel

extension Drone {
  public static let kind = Kind(
    name: "drone",
    summary: "A Parrot AR.Drone that flies to where it is told to, by a position that it is told.",
    options: DroneSettings.schema,
    links: [
      LinkRequirement(transports: [.udp], standard: HostPort(host: "192.168.1.1", port: 5556)),
      LinkRequirement(
        role: Drone.telemetry, transports: [.udp], standard: HostPort(host: "192.168.1.1", port: 5554)),
    ]
  ) { options, _ in Drone(DroneSettings(options)) }
}
