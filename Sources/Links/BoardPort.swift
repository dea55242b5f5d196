import BlueZ
import EventLoop

/// What a ``BLELink`` needs of a board: packets both ways while it is connected.
///
/// Once open it connects, and again after each loss, until it is closed.
@Loop protocol BoardPort: AnyObject {
  /// Why there is no connection; nil when there is one.
  var obstacle: BlueZError? { get }
  var isOpen: Bool { get }
  /// Whether something handed over has not left yet.
  var hasUnsent: Bool { get }
  /// False leaves what arrives with the system where it can be left.
  var isReading: Bool { get set }
  /// Told of from the first ``open()`` on, never from within a call of the link's.
  var onReceive: @Loop ([UInt8]) -> Void { get set }
  var onStateChange: @Loop (BluetoothUART.Event) -> Void { get set }
  func open()
  func close()
  /// The completion is called once, before this returns or later.
  func send(_ packet: [UInt8], completion: @escaping @Loop (Result<Void, BlueZError>) -> Void)
}

extension BluetoothUART: BoardPort {}
