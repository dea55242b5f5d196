import DeviceModel

/// Whom an advertisement concerns, by its bytes: with hundreds a second and dozens who listen, asking each of them costs
/// more than all the rest. Pure.
struct AdvertisementRoutes {
  private struct Shape: Hashable {
    var part: AdvertisementPattern.Part
    var start: Int
    var length: Int
  }

  private var shapes: [Shape] = []
  private var listeners: [AdvertisementPattern: [Int]] = [:]
  private let hearAll: [Int]
  /// Who was concerned by what this address said last: a frame without identity goes to the same.
  private var addresses: [String: [Int]] = [:]

  /// More addresses than are near at a time; then they are learned anew.
  static let mostAddresses = 512

  /// - Parameter interests: Of each who listens.
  init(_ interests: [AdvertisementInterest] = []) {
    hearAll = interests.indices.filter { interests[$0] == .all }
    for (listener, interest) in interests.enumerated() {
      guard case .matching(let patterns) = interest else { continue }
      for pattern in patterns { listeners[pattern, default: []].append(listener) }
    }
    shapes = Array(
      Set(listeners.keys.map { Shape(part: $0.part, start: $0.start, length: $0.bytes.count) }))
  }

  /// The places in what ``init(_:)`` was given.
  mutating func listeners(to advertisement: Advertisement) -> [Int] {
    var found: [Int] = []
    for shape in shapes {
      switch shape.part {
      case .manufacturerData:
        for data in advertisement.manufacturerData.values { add(shape, data, to: &found) }
      case .serviceData:
        for data in advertisement.serviceData.values { add(shape, data, to: &found) }
      }
    }
    if found.isEmpty {
      if !advertisement.serviceData.isEmpty { found = addresses[advertisement.address] ?? [] }
    } else if addresses[advertisement.address] != found {
      if addresses.count >= Self.mostAddresses { addresses = [:] }
      addresses[advertisement.address] = found
    }
    return hearAll.isEmpty ? found : found + hearAll
  }

  private func add(_ shape: Shape, _ data: [UInt8], to found: inout [Int]) {
    guard data.count >= shape.start + shape.length else { return }
    let bytes = Array(data[shape.start..<shape.start + shape.length])
    for listener in listeners[AdvertisementPattern(shape.part, from: shape.start, bytes)] ?? []
    where !found.contains(listener) {
      found.append(listener)
    }
  }
}
