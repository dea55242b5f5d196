import BlueZ
import DeviceModel
import EventLoop

/// Hears the air for the devices that want to: one observation for all of them.
@Loop final class Ear {
  private let linkFactory: LinkFactory
  private var devices: [DeviceRuntime] = []
  private var routes = AdvertisementRoutes()
  private var interest = AdvertisementInterest.nothing
  private var observation: AdvertisementObservation?
  private var audibility = Audibility()
  /// What the devices were told last.
  private var state = Audibility().bluetooth
  private var deadline: LoopTimer?

  /// Whether advertisements can be heard, and why not.
  enum Hearing: Hashable {
    case hears
    case deaf(String)
  }

  init(_ linkFactory: LinkFactory) { self.linkFactory = linkFactory }

  /// Tells `device` of the advertisements that concern it from now on, and whether there can be any; before it starts.
  func add(_ device: DeviceRuntime) {
    devices.append(device)
    route()
    if observation == nil {
      observation = linkFactory.observeAdvertisements(interest) { [weak self] in self?.pass($0) }
      observation?.onDeafness = { [weak self] in self?.deafen($0) }
      audibility.bluetooth = linkFactory.hearing
      state = audibility.bluetooth
    }
    device.hearingChanged(state)
    if observation?.isDeaf == true { device.feed(.deafened(true)) }
  }

  func remove(_ device: DeviceRuntime) {
    devices.removeAll { $0 === device }
    route()
    guard devices.isEmpty else { return }
    observation?.cancel()
    observation = nil
    audibility = Audibility()
    deadline?.cancel()
  }

  private func route() {
    let interests = devices.map(\.advertisementInterest)
    routes = AdvertisementRoutes(interests)
    interest = interests.reduce(.nothing) { $0.union($1) }
    observation?.interest = interest
  }

  /// Bluetooth may stand otherwise now.
  func bluetoothChanged() {
    guard observation != nil else { return }
    audibility.bluetooth = linkFactory.hearing
    tellHearing()
  }

  private func deafen(_ isDeaf: Bool) {
    audibility.deafen(isDeaf, at: .now)
    for device in devices { device.feed(.deafened(isDeaf)) }
    tellHearing()
  }

  private func tellHearing() {
    let now = MonotonicTime.now
    deadline?.cancel()
    let hearing = audibility.hearing(at: now)
    if hearing != state {
      state = hearing
      for device in devices { device.hearingChanged(hearing) }
    } else if let end = audibility.deadline, now < end {
      deadline = LoopTimer(after: now.duration(to: end)) { [weak self] in self?.tellHearing() }
    }
  }

  /// The bridge stood still: nothing was heard, which is no silence, and what is heard next may be old.
  func stoodStill() {
    guard observation != nil, state == .hears else { return }
    for device in devices {
      device.feed(.listening(false, "the bridge stood still"))
      device.feed(.listening(true, nil))
    }
  }

  private func pass(_ advertisement: Advertisement) {
    let input = Input.advertisement(advertisement)
    let now = Moment.now
    let listeners = routes.listeners(to: advertisement).map { devices[$0] }
    for device in listeners { device.feed(input, at: now) }
  }
}

extension LinkFactory {
  /// A board that is being connected silences the others for some seconds: of that they are told otherwise.
  var hearing: Ear.Hearing {
    guard let bluetooth else { return .deaf("Bluetooth is not in use") }
    if let problem = bluetooth.problem { return .deaf(problem.description) }
    return switch bluetooth.adapter {
    case .poweredOn: .hears
    case .poweredOff: .deaf("the Bluetooth adapter is off")
    case .absent: .deaf("there is no Bluetooth adapter")
    case .unauthorized: .deaf("no right to use Bluetooth")
    case .unknown: .deaf("BlueZ has not answered yet")
    }
  }

  func observeAdvertisements(
    _ interest: AdvertisementInterest = .all, _ handler: @escaping @Loop (Advertisement) -> Void
  ) -> AdvertisementObservation { radio.observeAdvertisements(interest, handler) }
}
