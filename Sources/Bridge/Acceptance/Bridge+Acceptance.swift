import Adapters
import Configuration
import DeviceModel
import EventLoop

extension Bridge {
  var takenIDs: Set<String> {
    Set(devices.keys).union(settings.devices.map(\.id.text)).union(addedDevices.ids.map(\.text))
  }

  /// The device that is reached there.
  func device(at place: BoardPlace) -> DeviceRuntime? {
    devices.values.first { device in
      device.setup.links.contains { link in
        switch (link.settings.target, place) {
        case (.ble(.address(let address), _), .ble(let wanted)): address == wanted
        case (.tcp(let address), .tcp(let wanted)): address == wanted
        case (.serial(let port), .serial(let wanted)): port.path == wanted
        default: false
        }
      }
    }
  }

  /// Whether the board that advertises is a device, by its address or by its name.
  func isServed(_ advertisement: Advertisement) -> Bool {
    let address = BluetoothAddress(advertisement.address)
    return devices.values.contains { device in
      device.setup.links.contains { link in
        switch link.settings.target {
        case .ble(.address(let own), _): own == address
        case .ble(.name(let own), _): own == advertisement.name
        default: false
        }
      }
    }
  }

  func tellDiscovered(_ board: NewBoards.Board) {
    var members = board.report
    members["event_type"] = "discovered"
    publisher.publishEvent(.object(members), to: topics.bridgeEvent)
    log.info("a board announces itself: \(board.name.map { "'\($0.excerpt)' at " } ?? "")\(board.place)")
  }

  func tellAccepted(_ id: DeviceID, _ card: BoardIntroduction.Card, at place: BoardPlace) {
    let members: Value.Members = [
      "event_type": "accepted", "device": .text(id.text), "name": .text(card.name),
      "address": .text("\(place)"), "identity": card.identity.map { .text($0) } ?? .unknown,
    ]
    publisher.publishEvent(.object(members), to: topics.bridgeEvent)
    log.info("the board '\(card.name.excerpt)' at \(place) is the device \(id) now")
  }

  /// Boards that announce themselves and are no devices.
  var discovered: Value { .list(acceptance.found.map { .object($0.report) }) }

  func accept(_ request: Request) {
    guard case .text(let text)? = request.members["device"] else {
      let words = "'device' is missing: the address of a board, or the name that it announces itself with"
      return respond(to: request, error: words)
    }
    acceptance.accept(text, request)
  }
}

extension NewBoards.Board {
  var report: Value.Members {
    [
      "address": .text("\(place)"), "name": name.map { .text($0) } ?? .unknown,
      "rssi": rssiDBm.map { .integer($0) } ?? .unknown, "last_seen": .text(heardAt.iso8601),
      "accepted": .boolean(isAccepted),
    ]
  }
}
