import DBus
import EventLoop

/// `org.bluez.Adapter1`: scanning, and the end of what BlueZ knows.
extension SimulatedBlueZ {
  func answerAdapter(_ call: IncomingCall) {
    switch call.member {
    case "SetDiscoveryFilter":
      discoveryFilter = call.arguments.first?.properties ?? [:]
      call.reply()
    case "StartDiscovery": startDiscovery(call)
    case "StopDiscovery":
      if !isPowered { return call.fail(.notReady) }
      guard discoverers.contains(call.sender) else { return call.fail(.failed("No discovery started")) }
      call.reply()
      stopDiscovery(of: call.sender)
    case "RemoveDevice":
      guard let path = call.arguments.first?.objectPath, let board = boards.first(where: { $0.path == path }),
        board.isKnown
      else { return call.fail(.doesNotExist) }
      remove(board)
      call.reply()
    case "GetDiscoveryFilters": call.reply([.strings(["UUIDs", "RSSI", "Transport", "DuplicateData"])])
    default: call.fail(.unknownMethod)
    }
  }

  private func startDiscovery(_ call: IncomingCall) {
    if !isPowered { return call.fail(.notReady) }
    if discoverers.contains(call.sender) { return call.fail(.inProgress) }
    let isFirst = discoverers.isEmpty
    discoverers.insert(call.sender)
    discoveriesStarted += 1
    call.reply()
    guard isFirst else { return }
    changed(adapterPath, "org.bluez.Adapter1", ["Discovering": .boolean(true)])
    for board in boards {
      board.removal?.cancel()
      board.heardAt = nil
    }
    scanIfNeeded()
  }

  func stopDiscovery(of client: String) {
    guard discoverers.remove(client) != nil, discoverers.isEmpty else { return }
    endDiscovery()
  }

  func stopDiscovery() {
    guard isDiscovering else { return }
    discoverers = []
    endDiscovery()
  }

  /// Strengths are no longer true; beacons are forgotten, and after a while boards that nobody connected to.
  private func endDiscovery() {
    scanIfNeeded()
    changed(adapterPath, "org.bluez.Adapter1", ["Discovering": .boolean(false)])
    for board in boards where board.isKnown && !board.isConnected {
      if board.shownRSSI != nil {
        board.shownRSSI = nil
        changed(board.path, "org.bluez.Device1", [:], invalidated: ["RSSI"])
      }
      if !board.isConnectable {
        remove(board)
      } else if !board.hasBeenConnected {
        board.removal = LoopTimer(after: timing.idleRemoval) { [weak self, weak board] in
          if let board, !board.isConnected, board.connectCall == nil { self?.remove(board) }
        }
      }
    }
  }

  /// All boards advertise once, again after the interval, as long as the radio listens.
  func scanIfNeeded() {
    guard isPowered, isDiscovering || isMonitoring else {
      advertisingTimer?.cancel()
      advertisingTimer = nil
      return
    }
    if advertisingTimer != nil { return }
    advertisingTimer = LoopTimer(after: timing.advertisingInterval) { [weak self] in
      guard let self else { return }
      self.advertisingTimer = nil
      for board in self.boards where board.isAdvertising && !board.isConnected { self.heard(board) }
      self.forgetUnheard()
      self.scanIfNeeded()
      self.waits.lookAtTurnEnd()
    }
  }

  private func heard(_ board: SimulatedBoard) {
    let now = MonotonicTime.now
    let isMonitored = isMonitoring && isMonitored(board)
    guard isDiscovering || isMonitored else { return }
    // With a monitor the kernel does not let the controller filter.
    if filtersStrictly, !isMonitoring, let last = board.heardAt,
      last.duration(to: now) < timing.scanWindow
    {
      return
    }
    board.heardAt = now
    advertisementsHeard += 1
    let rssi = board.rssiDBm + .random(in: -board.rssiSwing...board.rssiSwing)
    if !board.isKnown {
      board.shownRSSI = rssi
      board.isKnown = true
      added(board.path, ["org.bluez.Device1": board.properties()])
    } else if isDiscovering {
      board.shownRSSI = rssi
      changed(
        board.path, "org.bluez.Device1",
        board.advertisedData().merging(["RSSI": .int16(rssi)]) { $1 })
    } else if board.shownRSSI.map({ abs(rssi - $0) >= Self.notableChange }) ?? true {
      board.shownRSSI = rssi
      changed(board.path, "org.bluez.Device1", ["RSSI": .int16(rssi)])
    }
    if isMonitored { tellMonitors(of: board) }
  }

  /// Of the strength, dB, without a discovery.
  private static let notableChange: Int16 = 8

  /// An object that was made for an advertisement only lasts a while beyond the last one.
  private func forgetUnheard() {
    let now = MonotonicTime.now
    for board in boards where board.isKnown && !board.isConnected && !board.hasBeenConnected {
      guard board.connectCall == nil, let heardAt = board.heardAt,
        heardAt.duration(to: now) > timing.idleRemoval
      else { continue }
      remove(board)
    }
    boards.removeAll { $0.isGone && !$0.isKnown }
  }
}
