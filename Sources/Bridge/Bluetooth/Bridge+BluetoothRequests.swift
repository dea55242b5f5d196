import Adapters
import BlueZ
import Configuration
import DeviceModel
import EventLoop
import JSON
import MQTT

/// `ble/…`: boards that nobody has declared.
extension Bridge {
  static let bluetoothRequestNames = [
    "ble/adapters", "ble/scan", "ble/connect", "ble/explore", "ble/read", "ble/write", "ble/notify",
    "ble/disconnect",
  ]
  /// Without answers yet; more are refused.
  static let bluetoothRequestLimit = 64

  /// Carries a request out in its own time; those that wait for a board do not hold others up.
  func askBluetooth(_ request: Request) {
    guard bluetoothTasks.count < Self.bluetoothRequestLimit else {
      return respond(to: request, error: "\(bluetoothTasks.count) requests wait for their answers already")
    }
    batchNumber += 1
    let number = batchNumber
    bluetoothTasks[number] = Task {
      do throws(ExplorerError) {
        respond(to: request, data: try await bluetoothAnswer(request.name, ExplorerRequest(request.members)))
      } catch {
        respond(to: request, error: error.description)
      }
      bluetoothTasks[number] = nil
    }
  }

  func stopExploring() {
    guard !bluetoothTasks.isEmpty || linkFactory.bluetooth != nil else { return }
    for task in bluetoothTasks.values { task.cancel() }
    explorer.stop()
  }

  private func bluetoothAnswer(_ name: String, _ request: ExplorerRequest) async throws(ExplorerError)
    -> Value
  {
    switch name {
    case "ble/adapters": await bluetoothAdapters()
    case "ble/scan": try await scan(request)
    case "ble/disconnect": try disconnect(request)
    default: try await visit(name, request)
    }
  }

  private func bluetoothAdapters() async -> Value {
    let status = await linkFactory.bluetoothSettled()
    let isResetting = status.adapter == .unknown && linkFactory.hasBeenOn
    return .object([
      "state": .text(isResetting ? "resetting" : status.adapter.word),
      "adapter": status.name.map { .text($0) } ?? .unknown,
      "problem": status.problem.map { .text($0.description) } ?? .unknown,
      "adapters": .list(explorer.radio.adapters.map(\.report)),
    ])
  }

  private func scan(_ request: ExplorerRequest) async throws(ExplorerError) -> Value {
    let time = try request.seconds("seconds", in: 1...60) ?? .seconds(5)
    let services = try request.uuids("services")
    let prefix = try request.text("name_prefix")
    let least = try request.integer("rssi", in: -127...20)
    let heard = try await explorer.scan(for: time) { advertisement in
      if let least, advertisement.rssiDBm ?? -128 < least { return false }
      if let prefix, advertisement.name?.hasPrefix(prefix) != true { return false }
      return services.isEmpty || services.contains { advertisement.services.contains($0) }
    }
    return .object(["devices": .list(heard.map(\.report))])
  }

  private func disconnect(_ request: ExplorerRequest) throws(ExplorerError) -> Value {
    let selector = try request.board()
    if case .address(let address) = selector, let id = explorer.owner(address, nil) { throw .owned(id) }
    guard explorer.disconnect(selector) else {
      throw .invalid("\(selector) is not connected by a request")
    }
    return .object([:])
  }

  /// What needs a connection: it is made if there is none, within the request's time.
  private func visit(_ name: String, _ request: ExplorerRequest) async throws(ExplorerError) -> Value {
    let explorer = explorer
    let limit = try request.seconds("timeout", in: 1...60) ?? .seconds(15)
    let board = try await explorer.board(try request.board(), within: limit)
    return try await board.inTurn { board throws(ExplorerError) in
      try await explorer.connect(board, within: limit)
      switch name {
      case "ble/connect": return board.report
      case "ble/explore":
        return try await board.explore(readsValues: try request.boolean("values") ?? false)
      case "ble/read": return try await board.read(request)
      case "ble/write": return try await board.write(request)
      default: return try await board.notify(request)
      }
    }
  }

  /// Values of boards that are explored, and the ends of their connections.
  func makeExplorer() -> Explorer {
    let explorer = Explorer(linkFactory)
    explorer.owner = { [weak self] address, name in self?.device(ofBoard: address, name) }
    explorer.onValue = { [weak self] address, characteristic, encoding, bytes in
      guard let self else { return }
      let value = ExplorerRequest.encode(bytes, encoding) ?? ("hex", bytes.hexadecimal)
      let message: Value = [
        "value": .text(value.text), "encoding": .text(value.encoding), "time": .text(Timestamp.now.iso8601),
      ]
      let topic = topics.bluetoothValue(address, characteristic.uuid.short)
      if !publisher.publishStream(JSON.bytes(of: message), to: topic, qos: .atMostOnce) {
        publisher.countDropped()
      }
    }
    explorer.onEnd = { [weak self] address, reason in
      guard let self else { return }
      publisher.publishEvent(
        .object([
          "event_type": "ble_disconnected", "address": .text(address), "reason": .text(reason),
        ]), to: topics.bridgeEvent)
    }
    return explorer
  }

  /// The device whose board has this address or advertises this name.
  private func device(ofBoard address: String?, _ name: String?) -> DeviceID? {
    for id in order {
      for link in devices[id.text]?.setup.links ?? [] {
        guard case .ble(let target, _) = link.settings.target else { continue }
        switch target {
        case .address(let own): if let address, BluetoothAddress(address) == own { return id }
        case .name(let own): if own == name { return id }
        }
      }
    }
    return nil
  }
}
