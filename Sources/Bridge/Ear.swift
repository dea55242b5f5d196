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
  private var state = Hearing.deaf("Bluetooth was not asked yet")

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
      state = linkFactory.hearing
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
  }

  private func route() {
    let interests = devices.map(\.advertisementInterest)
    routes = AdvertisementRoutes(interests)
    interest = interests.reduce(.nothing) { $0.union($1) }
    observation?.interest = interest
  }

  /// Bluetooth may stand otherwise now.
  func bluetoothChanged() {
    guard observation != nil, linkFactory.hearing != state else { return }
    state = linkFactory.hearing
    for device in devices { device.hearingChanged(state) }
  }

  private func deafen(_ isDeaf: Bool) {
    for device in devices { device.feed(.deafened(isDeaf)) }
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
