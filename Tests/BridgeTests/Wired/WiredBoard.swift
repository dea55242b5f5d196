import EventLoop
import Simulation
import TestSupport
import Testing

/// A board that speaks in lines, on a TCP port or on a serial one.
@Loop final class WiredBoard {
  enum Wire: CaseIterable, Sendable { case tcp, serial }

  private let folder: TemporaryDirectory?
  private let network: SketchOnTCP?
  private let port: SketchOnSerial?
  let board: SimulatedSketchBoard

  init(_ board: SimulatedSketchBoard, on wire: Wire) throws {
    self.board = board
    switch wire {
    case .tcp:
      folder = nil
      network = try SketchOnTCP(board)
      port = nil
    case .serial:
      let folder = try TemporaryDirectory()
      self.folder = folder
      network = nil
      port = try SketchOnSerial(board, path: folder("usb-Arduino"), resetsWhenOpened: false)
    }
  }

  /// For the configuration.
  var link: String {
    network.map { "tcp: \"127.0.0.1:\($0.port)\"" } ?? port.map { "serial: \"\($0.path)\"" } ?? ""
  }

  /// Of a network: the board gets nothing, though the system takes it.
  var isStalled: Bool {
    get { network?.isStalled ?? false }
    set { network?.isStalled = newValue }
  }

  /// The network's connection is gone.
  func cut() {
    network?.cutPower()
    network?.returnPower()
  }

  func stop() {
    network?.stop()
    port?.stop()
  }
}
