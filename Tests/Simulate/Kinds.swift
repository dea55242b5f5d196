import EventLoop

/// What can be added: a line for each kind of board.
@Loop enum Kinds {
  typealias Make = @Loop (_ name: String, _ radio: Radio) throws(Refused) -> any Board

  static let all: [String: Make] = [
    "garage_door": { name, radio in GarageDoor(name, radio: radio) },
    "beacon": { name, radio in Beacon(name, radio: radio) },
    "drone": { name, _ throws(Refused) in try Drone(name) },
    "gatt": { name, radio in GATT(name, radio: radio) },
    "newer_garage": { name, radio in NewerGarage(name, radio: radio) },
    "pet_door": { name, radio in PetDoor(name, radio: radio) },
    "power_plug": { name, _ throws(Refused) in try PowerPlug(name) },
    "self_describing": { name, _ throws(Refused) in try SelfDescribing(name) },
    "profile": { name, radio in TerraceBoard(name, radio: radio) },
    "rover": { name, radio in Rover(name, radio: radio) },
    "tv_volume": { name, radio in TVVolume(name, radio: radio) },
    "tv_remote": { name, radio in TVRemote(name, radio: radio) },
    "uart": { name, radio in RawBoard(name, radio: radio) },
  ]
}
