import DeviceModel
import BlueZ
import EventLoop
import TestSupport

/// An opened UART and all that it told.
@Loop final class Port {
  enum Event: Equatable, Sendable {
    case up(Int)
    case down(BlueZError)

    var isUp: Bool { if case .up = self { true } else { false } }
  }

  let uart: BluetoothUART
  nonisolated let events: Inbox<Event>
  nonisolated let received: Inbox<String>

  init(_ radio: Radio, _ board: BoardSelector, _ service: UARTService = .nus, isOpen: Bool = true) {
    uart = radio.central.uart(board, service: service)
    events = Inbox("events of \(board)")
    received = Inbox("notifications of \(board)")
    uart.onStateChange = { [events] event in
      switch event {
      case .up(let maximumPacket): events.append(.up(maximumPacket))
      case .down(let error): events.append(.down(error))
      }
    }
    uart.onReceive = { [received] in received.append(String(decoding: $0, as: UTF8.self)) }
    if isOpen { uart.open() }
  }

  @discardableResult
  func up(from index: Int = 0) async throws -> Int {
    guard case .up(let maximumPacket) = try await events.first(from: index, where: \.isUp) else { return 0 }
    return maximumPacket
  }

  /// The next failure from `index` on.
  @discardableResult
  func down(from index: Int = 0) async throws -> BlueZError? {
    guard case .down(let error) = try await events.first(from: index, where: { !$0.isUp }) else { return nil }
    return error
  }

  func send(_ text: String) async -> Result<Void, BlueZError> { await send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) async -> Result<Void, BlueZError> {
    await withCheckedContinuation { continuation in
      uart.send(bytes) { continuation.resume(returning: $0) }
    }
  }
}

extension Result where Success == Void, Failure == BlueZError {
  var failure: BlueZError? { if case .failure(let error) = self { error } else { nil } }
}
