import Adapters
import BlueZ
import DeviceModel

/// What is asked of a connected board, and its answers as JSON.
extension ExploredBoard {
  var report: Value {
    let advertisement = peripheral.advertisement
    return .object([
      "address": .text(name), "name": advertisement?.name.map { .text($0) } ?? .unknown,
      "rssi": advertisement?.rssiDBm.map { .integer($0) } ?? .unknown,
      "mtu": peripheral.mtu.map { .integer($0) } ?? .unknown,
      "services": .list(peripheral.services.map { .text($0.uuid.short) }),
    ])
  }

  /// All services with their characteristics and descriptors, and the descriptors' values.
  ///
  /// - Parameter readsValues: The values of characteristics as well.
  func explore(readsValues: Bool) async throws(ExplorerError) -> Value {
    guard case .object(var members) = report else { return report }
    var services: [Value] = []
    for service in peripheral.services {
      var characteristics: [Value] = []
      for characteristic in service.characteristics {
        characteristics.append(try await explore(characteristic, readsValue: readsValues))
      }
      services.append(
        .object([
          "uuid": .text(service.uuid.short), "name": Self.name(of: service.uuid),
          "primary": .boolean(service.isPrimary), "characteristics": .list(characteristics),
        ]))
    }
    members["services"] = .list(services)
    return .object(members)
  }

  private func explore(
    _ characteristic: GATTCharacteristic, readsValue: Bool
  ) async throws(ExplorerError) -> Value {
    var members = Value.Members([
      ("uuid", .text(characteristic.uuid.short)), ("name", Self.name(of: characteristic.uuid)),
      ("handle", .integer(Int(characteristic.handle))),
      ("properties", .list(characteristic.properties.map { .text($0) })),
      ("notifying", .boolean(characteristic.isNotifying)),
    ])
    if readsValue, characteristic.canRead { members["value"] = try await shown(characteristic.handle) }
    var descriptors: [Value] = []
    for descriptor in characteristic.descriptors {
      descriptors.append(
        .object([
          "uuid": .text(descriptor.uuid.short), "name": Self.name(of: descriptor.uuid),
          "handle": .integer(Int(descriptor.handle)), "value": try await shown(descriptor.handle),
        ]))
    }
    members["descriptors"] = .list(descriptors)
    let pairing = characteristic.encryption.union(needsPairing(characteristic.handle))
    members["encryption"] = .list(pairing.sorted().map { .text($0) })
    return .object(members)
  }

  /// In hexadecimal; unknown for what the board refuses. A lost board ends the exploration.
  private func shown(_ handle: UInt16) async throws(ExplorerError) -> Value {
    do throws(ExplorerError) {
      return .text(try await read(handle).hexadecimal)
    } catch {
      guard peripheral.isUp else { throw error }
      return .unknown
    }
  }

  private static func name(of uuid: BluetoothUUID) -> Value {
    AssignedNumbers.name(of: uuid).map { .text($0) } ?? .unknown
  }

  func read(_ request: ExplorerRequest) async throws(ExplorerError) -> Value {
    let characteristic = try request.characteristic(among: peripheral.services)
    let encoding = try request.encoding()
    var handle = characteristic.handle
    if let wanted = try request.uuid("descriptor") {
      guard let descriptor = characteristic.descriptors.first(where: { $0.uuid == wanted }) else {
        throw .noCharacteristic(
          "descriptor \(wanted.short)", found: characteristic.descriptors.map(\.uuid.short))
      }
      handle = descriptor.handle
    } else if !characteristic.canRead {
      throw characteristic.notOffered("read")
    }
    guard let value = ExplorerRequest.encode(try await read(handle), encoding) else { throw .notText }
    return .object([
      "address": .text(name), "characteristic": .text(characteristic.uuid.short), "value": .text(value.text),
      "encoding": .text(encoding),
    ])
  }

  func write(_ request: ExplorerRequest) async throws(ExplorerError) -> Value {
    let characteristic = try request.characteristic(among: peripheral.services)
    let bytes = try request.value()
    let wantsResponse = try request.boolean("response")
    let withResponse = wantsResponse ?? characteristic.canWriteWithResponse
    guard withResponse ? characteristic.canWriteWithResponse : characteristic.canWriteWithoutResponse else {
      throw characteristic.notOffered(
        wantsResponse == nil ? "written" : "written \(withResponse ? "with" : "without") a response")
    }
    try await write(bytes, to: characteristic.handle, withResponse: withResponse)
    return .object([
      "address": .text(name), "characteristic": .text(characteristic.uuid.short),
      "bytes": .integer(bytes.count), "response": .boolean(withResponse),
    ])
  }

  func notify(_ request: ExplorerRequest) async throws(ExplorerError) -> Value {
    let characteristic = try request.characteristic(among: peripheral.services)
    guard let isOn = try request.boolean("on") else { throw .invalid("'on' is missing: true or false") }
    guard characteristic.canNotify else { throw characteristic.notOffered("notified") }
    try await notify(characteristic, isOn, encoding: try request.encoding())
    return .object([
      "address": .text(name), "characteristic": .text(characteristic.uuid.short), "on": .boolean(isOn),
    ])
  }
}

extension GATTCharacteristic {
  /// What may be done, without what it takes.
  var properties: [String] { flags.filter { !$0.hasPrefix("encrypt-") && !$0.hasPrefix("secure-") } }

  /// What needs encryption, as far as it is known before it is tried.
  var encryption: Set<String> {
    var needs: Set<String> = []
    for flag in flags where flag.hasPrefix("encrypt-") || flag.hasPrefix("secure-") {
      for word in ["read", "write", "notify", "indicate"] where flag.hasSuffix(word) { needs.insert(word) }
    }
    return needs
  }

  func notOffered(_ wanted: String) -> ExplorerError {
    .notOffered("characteristic \(uuid.short)", wanted: wanted, offers: flags)
  }
}

extension Advertisement {
  var report: Value {
    .object([
      "address": .text(address), "random": .boolean(isRandomAddress),
      "name": name.map { .text($0) } ?? .unknown,
      "rssi": rssiDBm.map { .integer($0) } ?? .unknown,
      "services": .list(services.map { .text($0.short) }),
      "manufacturer_data": .object(
        .init(
          manufacturerData.sorted { $0.key < $1.key }.map {
            ([UInt8($0.key >> 8), UInt8($0.key & 0xFF)].hexadecimal, .text($0.value.hexadecimal))
          })),
      "service_data": .object(
        .init(
          serviceData.sorted { $0.key.description < $1.key.description }.map {
            ($0.key.short, .text($0.value.hexadecimal))
          })),
      "beacon": BeaconSighting(self)?.report ?? .unknown,
    ])
  }
}

extension BeaconSighting {
  fileprivate var report: Value {
    .object([
      "format": .text(format), "identity": .text(identity),
      "measured_power": measuredPower.map { .integer($0) } ?? .unknown,
    ])
  }
}

extension BluetoothAdapter {
  var report: Value {
    .object([
      "name": .text(name), "address": .text(address), "powered": .boolean(isPowered),
      "discovering": .boolean(isDiscovering), "used": .boolean(isUsed),
    ])
  }
}

extension BluetoothStatus.Adapter {
  /// In the words of Bluetooth's own: without an adapter it is not supported.
  var word: String {
    switch self {
    case .absent: "unsupported"
    case .poweredOff: "powered_off"
    case .poweredOn: "powered_on"
    default: rawValue
    }
  }
}
