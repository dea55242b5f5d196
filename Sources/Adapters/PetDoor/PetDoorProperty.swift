import DeviceModel

/// The pet door's properties.
enum PetDoorProperty {
  static let lock: PropertyKey = "lock"
  static let manualLock: PropertyKey = "manual_lock"
  static let latch: PropertyKey = "latch"
  static let temperature: PropertyKey = "temperature"

  static let description = DeviceDescription(
    model: "Pet door lock",
    properties: [
      Property(
        lock, name: nil, .lock, verbs: [.set], icon: "mdi:paw",
        summary: "LOCK keeps the door locked, UNLOCK lets light and temperature decide again."
          + " The state is the latch's: after UNLOCK it may stay LOCKED while it is dark or cold."),
      Property(
        manualLock, name: "Manual lock", .switch(), verbs: [.set], icon: "mdi:lock-outline", isAssumed: true,
        summary: "Whether the door is kept locked whatever the sensors say."
          + " The board tells it at most once after connecting and forgets it at a reset."),
      Property(
        latch, name: "Latch", .binarySensor(deviceClass: "lock"), summary: "ON while the latch is open."),
      Property(
        temperature, name: "Temperature",
        .sensor(
          .init(unit: "°C", deviceClass: "temperature", stateClass: .measurement, precision: 1)),
        summary: "Outside; unknown while the sensor is at fault."),
    ])
}
