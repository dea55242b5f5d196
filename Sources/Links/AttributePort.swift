import BlueZ
import DeviceModel
import EventLoop

/// The services of a board as a port: each packet sent is an order, each received is news.
@Loop final class AttributePort: BoardPort {
  private let peripheral: BluetoothPeripheral
  private var services: [GATTService] = []
  /// By which names what comes from a handle was subscribed to.
  private var subscribed: [BluetoothPeripheral.Handle: AttributeID] = [:]

  var onReceive: @Loop ([UInt8]) -> Void = { _ in }
  var onStateChange: @Loop (BluetoothUART.Event) -> Void = { _ in }
  /// Values come one at a time, and nothing of theirs can wait in bluetoothd.
  var isReading = true

  init(_ peripheral: BluetoothPeripheral) {
    self.peripheral = peripheral
    peripheral.onStateChange = { [weak self] in self?.take($0) }
    peripheral.onValue = { [weak self] handle, bytes in
      if let self, let id = subscribed[handle] { tell(.value(id, bytes)) }
    }
  }

  var obstacle: BlueZError? { peripheral.obstacle }
  var isOpen: Bool { peripheral.isOpen }
  /// An order is done when the board has answered.
  var hasUnsent: Bool { false }
  func open() { peripheral.open() }
  func close() { peripheral.close() }

  func send(_ packet: [UInt8], completion: @escaping @Loop (Result<Void, BlueZError>) -> Void) {
    do throws(AttributeFrameError) {
      perform(try AttributeOrder(bytes: packet), completion)
    } catch {
      completion(.failure(.invalidArguments("\(error)")))
    }
  }

  private typealias Completion = @Loop (Result<Void, BlueZError>) -> Void

  private func perform(_ order: AttributeOrder, _ completion: @escaping Completion) {
    switch order {
    case .read(let id):
      guard let found = find(id, for: .read, \.canRead, completion) else { return }
      peripheral.read(found.handle) { [weak self] result in
        self?.conclude(result, id, .read, completion) { .value(id, $0) }
      }
    case .write(let id, let bytes, let number):
      let operation = AttributeNews.Operation.write(number: number)
      guard let found = find(id, for: operation, \.canWrite, completion) else { return }
      peripheral.write(bytes, to: found.handle, withResponse: found.canWriteWithResponse) {
        [weak self] result in
        self?.conclude(result, id, operation, completion) { _ in .written(number: number) }
      }
    case .subscribe(let id):
      guard let found = find(id, for: .subscribe, \.canNotify, completion) else { return }
      subscribed[found.handle] = id
      peripheral.subscribe(found.handle, true) { [weak self] result in
        self?.conclude(result, id, .subscribe, completion) { _ in .subscribed(id) }
      }
    case .forgetServices:
      completion(.success(()))
      peripheral.forgetServices()
    }
  }

  /// What cannot be is told, and the order is done.
  private func find(
    _ id: AttributeID, for operation: AttributeNews.Operation, _ isOffered: KeyPath<GATTCharacteristic, Bool>,
    _ completion: Completion
  ) -> GATTCharacteristic? {
    let found = services.lazy.filter { id.service == nil || id.service == $0.uuid }
      .flatMap(\.characteristics).first { $0.uuid == id.characteristic }
    if let found, found[keyPath: isOffered] { return found }
    tell(found == nil ? .missing(id, operation) : .refused(id, operation, "the board does not offer this"))
    completion(.success(()))
    return nil
  }

  /// A board that says no has answered; only a connection that ended has not.
  private func conclude(
    _ result: Result<[UInt8], BlueZError>, _ id: AttributeID, _ operation: AttributeNews.Operation,
    _ completion: Completion, _ news: ([UInt8]) -> AttributeNews
  ) {
    switch result {
    case .success(let bytes): tell(news(Array(bytes.prefix(AttributeOrder.longestValue))))
    case .failure(let error) where !peripheral.isUp: return completion(.failure(error))
    case .failure(let error): tell(.refused(id, operation, error.description))
    }
    completion(.success(()))
  }

  private func tell(_ news: AttributeNews) { onReceive(news.bytes) }

  private func take(_ event: BluetoothPeripheral.Event) {
    subscribed = [:]
    switch event {
    case .up:
      services = peripheral.services
      onStateChange(.up(maximumPacket: AttributeOrder.longest))
    case .down(let error):
      services = []
      onStateChange(.down(error))
    }
  }
}

extension GATTCharacteristic {
  fileprivate var canWrite: Bool { canWriteWithResponse || canWriteWithoutResponse }
}
