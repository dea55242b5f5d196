import Adapters
import BlueZ
import Configuration
import DeviceModel
import EventLoop

/// Takes in boards that describe themselves and that nobody has configured.
@Loop final class Acceptance {
  private unowned let bridge: Bridge
  private var policy = AcceptancePolicy.off
  private var boards = NewBoards(.off)
  private var prospects: [BoardPlace: Prospect] = [:]
  /// Asked for, and to be answered when the board has introduced itself.
  private var waiting: [BoardPlace: [Waiting]] = [:]
  private var observation: AdvertisementObservation?

  private struct Waiting {
    var request: Bridge.Request
    var deadline: LoopTimer
  }

  /// Boards that are asked at a time.
  private static let most = 16
  /// For a board that was asked for to say who it is.
  private static let patience = Duration.seconds(60)
  /// Between the link that introduced a board and the device's own.
  private static let pause = Duration.milliseconds(500)

  init(_ bridge: Bridge) { self.bridge = bridge }

  /// Boards that are there and no devices.
  var found: [NewBoards.Board] { boards.found }

  func start(_ policy: AcceptancePolicy) {
    guard policy != self.policy else { return }
    stop()
    self.policy = policy
    boards = NewBoards(policy)
    if policy.looksForBluetooth {
      observation = bridge.linkFactory.observeAdvertisements { [weak self] in self?.hear($0) }
    }
    for place in policy.links where bridge.device(at: place) == nil { approach(place, mayAsk: false) }
  }

  func stop() {
    observation?.cancel()
    observation = nil
    for place in waiting.keys { answer(place, error: "the bridge looks for no more boards") }
    for prospect in prospects.values { prospect.stop() }
    prospects = [:]
    policy = .off
  }

  /// `accept {device}`.
  func accept(_ text: String, _ request: Bridge.Request) {
    do throws(Rejection) {
      let place = try boards.accept(text, at: Moment.now.wall)
      if let device = bridge.device(at: place) {
        boards.forget(place)
        throw Rejection(.invalid, "\(place) is the device '\(device.id)' already")
      }
      guard waiting.values.joined().count < Self.most else {
        throw Rejection(.busy, "\(Self.most) boards are being asked already")
      }
      let deadline = LoopTimer(after: Self.patience) { [weak self] in self?.isLate(place) }
      waiting[place, default: []].append(Waiting(request: request, deadline: deadline))
      approach(place, mayAsk: boards.isAnnounced(place))
    } catch {
      bridge.respond(to: request, error: error.explanation)
    }
  }

  private func hear(_ advertisement: Advertisement) {
    guard NewBoards.announces(advertisement), !bridge.isServed(advertisement) else { return }
    switch boards.hear(advertisement, at: Moment.now.wall) {
    case .show(let board)?: bridge.tellDiscovered(board)
    case .accept(let board)?:
      bridge.tellDiscovered(board)
      approach(board.place, mayAsk: true)
    case nil: break
    }
  }

  private func approach(_ place: BoardPlace, mayAsk: Bool) {
    guard prospects[place] == nil else { return }
    guard prospects.count < Self.most + policy.links.count else { return boards.forget(place) }
    let (device, problems) = Configuration.device(
      from: ["name": "new board", "kind": "self_describing", "link": .object(place.link)],
      kinds: bridge.settings.kinds)
    guard let link = device?.links.first else {
      for problem in problems { bridge.log.error("\(place): \(problem)") }
      return boards.forget(place)
    }
    prospects[place] = Prospect(place, link: link, factory: bridge.linkFactory, mayAsk: mayAsk) {
      [weak self] card in self?.introduced(card, at: place, mayAsk: mayAsk)
    }
  }

  private func introduced(_ card: BoardIntroduction.Card, at place: BoardPlace, mayAsk: Bool) {
    guard let prospect = prospects.removeValue(forKey: place) else { return }
    prospect.stop()
    // One board has one link at a time.
    _ = LoopTimer(after: Self.pause) { [weak self] in self?.adopt(card, at: place, mayAsk: mayAsk) }
  }

  private func adopt(_ card: BoardIntroduction.Card, at place: BoardPlace, mayAsk: Bool) {
    boards.forget(place)
    guard bridge.device(at: place) == nil else { return answer(place, error: "\(place) is a device already") }
    guard let id = BoardIntroduction.id(for: card, at: place, taken: bridge.takenIDs) else {
      return answer(place, error: "no id is left for '\(card.name)'")
    }
    do {
      let id = try bridge.add([
        "name": .text(card.name), "id": .text(id.text), "kind": "self_describing",
        "link": .object(place.link), "options": ["ask": .boolean(mayAsk)],
      ])
      bridge.tellAccepted(id, card, at: place)
      for request in finish(place) {
        bridge.respondWhenKept(to: request, data: ["device": .text(id.text), "name": .text(card.name)])
      }
    } catch {
      bridge.log.error("the board '\(card.name)' at \(place) is not taken in: \(error)")
      answer(place, error: "\(error)")
    }
  }

  private func isLate(_ place: BoardPlace) {
    answer(place, error: "the board at \(place) has not said who it is")
    guard !policy.accepts(place) else { return }
    prospects.removeValue(forKey: place)?.stop()
    boards.forget(place)
  }

  private func answer(_ place: BoardPlace, error: String) {
    for request in finish(place) { bridge.respond(to: request, error: error) }
  }

  private func finish(_ place: BoardPlace) -> [Bridge.Request] {
    let ended = waiting.removeValue(forKey: place) ?? []
    for each in ended { each.deadline.cancel() }
    return ended.map(\.request)
  }
}
