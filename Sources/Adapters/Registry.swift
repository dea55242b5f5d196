public import DeviceModel

/// All kinds of devices that a configuration can name.
public enum Registry {
  /// In the order in which documentation lists them.
  public static let kinds: [Kind] = [
    PetDoor.kind,
    PowerPlug.kind,
    Profile.kind,
    GarageDoor.kind,
    GATT.kind,
    Beacon.kind,
    SelfDescribing.kind,
    Rover.kind,
    TVVolume.kind,
    Drone.kind,
    UART.kind,
  ]

  public static func kind(named name: String) -> Kind? { kinds.first { $0.name == name } }
}
