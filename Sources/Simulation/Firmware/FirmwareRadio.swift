import CLinux
public import EventLoop
import Glibc

/// The radio of a sketch in the simulator: what the stand-in of the nRF8001's library writes to the serial port goes
/// over the air in its packets, and what a central writes comes in.
@Loop public final class FirmwareRadio: SimulatedPeripheral {
  public let advertisedName: String?
  public let services = [SimulatedService.nus]
  /// Called with each packet that goes over the air to whoever has subscribed.
  public var onPacket: (@Loop ([UInt8]) -> Void)?

  private var simulator: FirmwareSimulator?
  private var link: SimulatedLink?
  private var descriptor: Int32 = -1
  private var watch: DescriptorWatch?
  private var received: [UInt8] = []

  /// The pin that the stand-in's library takes for the radio's `ready`.
  private static let readyPin = "D2"

  public init(name: String?) { advertisedName = name }

  /// Joins the serial port of a sketch that was started with `--uart 0=tcp:0`; the one before is let go.
  /// - Throws: ``FirmwareSimulator/Failure/notStarted(errno:)`` if there is no such port.
  public func join(_ simulator: FirmwareSimulator) async throws(FirmwareSimulator.Failure) {
    leave()
    guard let port = simulator.serialPort, let descriptor = Self.connect(to: port) else {
      throw .notStarted(errno: errno)
    }
    self.descriptor = descriptor
    self.simulator = simulator
    watch = DescriptorWatch(descriptor, for: .readable) { [weak self] _ in self?.read() }
    try await simulator.set(Self.readyPin, false)
  }

  /// The board has lost its power: whoever is connected is not any more.
  public func leave() {
    link?.drop()
    watch?.cancel()
    watch = nil
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
    received = []
    simulator = nil
  }

  public func connected(_ link: SimulatedLink) {
    self.link = link
    setReady(true)
  }

  public func written(_ bytes: [UInt8], to characteristic: String) {
    guard descriptor >= 0 else { return }
    _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }

  public func disconnected() {
    link = nil
    setReady(false)
  }

  private func setReady(_ isConnected: Bool) {
    guard let simulator else { return }
    Task { @Loop in try? await simulator.set(Self.readyPin, isConnected) }
  }

  private func read() {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(descriptor, &buffer, buffer.count)
    if count < 0 && (errno == EAGAIN || errno == EINTR) { return }
    guard count > 0 else { return leave() }
    received += buffer[..<count]
    while let length = received.first.map(Int.init), received.count > length {
      let packet = Array(received[1..<(1 + length)])
      onPacket?(packet)
      link?.notify(packet)
      received.removeFirst(1 + length)
    }
  }

  private static func connect(to port: UInt16) -> Int32? {
    let descriptor = socket(
      AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else {
      close(descriptor)
      return nil
    }
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    return descriptor
  }
}
