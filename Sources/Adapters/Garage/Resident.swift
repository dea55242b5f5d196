import DeviceModel

/// One person who may open, with all that is known of the person's coming and going.
struct Resident: Sendable {
  let settings: GarageSettings.Person
  /// As configured, or as changed since by a request.
  var pin: GaragePIN
  var homecoming = Homecoming()
  var whereabouts = Whereabouts()
  /// Of the beacon in the car; nil without one.
  var car: HeldPresence?
  /// An arrival for which the door could not be opened, and when: who then comes in by another's opening is in.
  var turnedAway: (arrivedAt: Timestamp, at: Duration)?
  /// It was said that identifiers of the phone's regions are forgotten.
  var hasForgotten = false
  /// What was said last about messages that cannot be used, so that it is said once.
  var complaint: String?

  init(_ settings: GarageSettings.Person, carSilence: Duration) {
    self.settings = settings
    pin = settings.pin
    car = settings.car.map { _ in HeldPresence(silence: carSilence) }
  }

  /// By what a coming or going is known.
  enum Source: String, Hashable, Sendable {
    case ownTracks = "owntracks"
    case presence
    case carBeacon = "car_beacon"
    case simulation
  }
}

/// A person has entered or left a region.
struct Crossing: Hashable, Sendable {
  var region: GarageRegion
  var isEntering: Bool
  var source: Resident.Source

  var input: Homecoming.Input {
    switch (region, isEntering) {
    case (.beacon, true): .enterBeacon
    case (.beacon, false): .leaveBeacon
    case (.home, true): .enterHome
    case (.home, false): .leaveHome
    }
  }
}
