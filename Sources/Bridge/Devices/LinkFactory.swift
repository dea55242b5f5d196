import BlueZ
import Configuration
import DeviceModel
import EventLoop
import Links

/// Makes links of every transport from what the configuration says, and owns the radio that some of them share.
@Loop final class LinkFactory {
  private let settings: Configuration.Bluetooth
  private let log: Log
  /// Made for the first board that is reached by Bluetooth: without one, nobody asks for a bus.
  private var central: BluetoothCentral?
  /// How Bluetooth stands; nil while no board needs it.
  private(set) var bluetooth: BluetoothStatus?
  private let captures = RunningCaptures()
  var onBluetoothChange: @Loop () -> Void = {}
  /// The adapter has been on since the start.
  private(set) var hasBeenOn = false
  private var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
  private var createdWaiters = 0

  init(_ settings: Configuration.Bluetooth, log: Log) {
    self.settings = settings
    self.log = log
  }

  func make(_ settings: Configuration.Link, handler: @escaping LinkEvent.Handler) -> any Link {
    switch settings.target {
    case .tcp(let address):
      TCPLink(
        host: address.host, port: UInt16(clamping: address.port), timeout: settings.connectTimeout,
        handler: handler)
    case .udp(let address):
      UDPLink(
        host: address.host, port: UInt16(clamping: address.port), timeout: settings.connectTimeout,
        handler: handler)
    case .serial(let port):
      if let speed = SerialSpeed(baud: port.baud) {
        SerialLink(
          path: port.path, speed: speed, resets: port.resets, bootTime: port.bootTime,
          timeout: settings.connectTimeout, handler: handler)
      } else {
        MissingLink("serial ports do not run at \(port.baud) bits per second", handler: handler)
      }
    case .ble(let board, let uart?):
      BLELink(
        radio.uart(BoardSelector(board), service: uart), isHeld: settings.session == .held,
        timeout: settings.connectTimeout, handler: handler)
    case .ble(let board, nil):
      BLELink(
        radio.peripheral(BoardSelector(board)), isHeld: settings.session == .held,
        timeout: settings.connectTimeout, handler: handler)
    case .capture(let command): CaptureLink(command, among: captures, handler: handler)
    }
  }

  /// Tells how strongly a board is heard, dBm: at first what BlueZ knows of it, then at each of its advertisements;
  /// nil for one that is not reached by Bluetooth. A connected board does not advertise.
  func observeSignal(
    of settings: Configuration.Link, _ handler: @escaping @Loop (Int) -> Void
  ) -> AdvertisementObservation? {
    guard case .ble(let board, _) = settings.target else { return nil }
    return radio.observeAdvertisements(includingHeard: true) { advertisement in
      let isMeant =
        switch board {
        case .address(let address): BluetoothAddress(advertisement.address) == address
        case .name(let name): advertisement.name == name
        }
      if isMeant, let strength = advertisement.rssiDBm { handler(strength) }
    }
  }

  /// Parts from every board, leaves the bus and ends every program.
  func stop() async {
    await central?.stop()
    await captures.stop()
  }

  /// Asked for by who needs it: the bus is not connected before.
  var radio: BluetoothCentral {
    if let central { return central }
    var bluetooth = BluetoothSettings(bus: settings.bus)
    switch settings.adapter {
    case .name(let name): bluetooth.adapter = name
    case .address(let address): bluetooth.adapter = address.description
    case nil: break
    }
    let new = BluetoothCentral(bluetooth)
    central = new
    self.bluetooth = new.status
    new.onStatusChange = { [weak self] in self?.statusChanged($0) }
    new.start()
    return new
  }

  /// Returns when it is known how Bluetooth stands, or after a while.
  func bluetoothSettled() async -> BluetoothStatus {
    let radio = radio
    createdWaiters += 1
    let number = createdWaiters
    let limit = LoopTimer(after: .seconds(5)) { [weak self] in self?.resume(number) }
    await Loop.suspend { settled in
      let isOpen = radio.status.adapter == .unknown && radio.status.problem == nil
      if isOpen { waiters[number] = settled } else { settled.resume() }
    }
    limit.cancel()
    return radio.status
  }

  private func resume(_ number: Int) { waiters.removeValue(forKey: number)?.resume() }

  private func statusChanged(_ status: BluetoothStatus) {
    if status.adapter == .poweredOn { hasBeenOn = true }
    for number in waiters.keys.sorted() { resume(number) }
    if let problem = status.problem, problem != bluetooth?.problem, problem != .stopped {
      log.error("Bluetooth: \(problem)")
    } else if status.problem == nil, status.adapter == .poweredOn {
      log.info("Bluetooth: adapter \(status.name ?? "?") (\(status.address ?? "?")) is on")
    }
    bluetooth = status
    onBluetoothChange()
  }
}

extension BoardSelector {
  init(_ target: Configuration.Link.BluetoothTarget) {
    switch target {
    case .address(let address): self = .address(address.description)
    case .name(let name): self = .name(name)
    }
  }
}
