import Configuration
import DeviceModel
import EventLoop
import JSON

/// Tells on a topic all that the adapter of one device is told and sends, as long as somebody asks for it.
@Loop final class DeviceCapture {
  /// Seconds that one request may ask for.
  static let longest = 3600

  let header: CaptureHeader
  private let redaction: Redaction
  private let trafficIsSecret: Bool
  private let begun = MonotonicTime.now
  private let publish: @Loop ([UInt8]) -> Void
  private var end: LoopTimer?

  init(_ device: DeviceSetup, publish: @escaping @Loop ([UInt8]) -> Void) {
    header = CaptureHeader(
      version: BridgeSettings.version, device: device.id.text, kind: device.kind.name,
      options: device.source.options.written, start: .now)
    redaction = Redaction(device.source.options.secrets)
    trafficIsSecret = device.kind.trafficIsSecret
    self.publish = publish
  }

  /// Goes on for so long from now.
  func extend(by duration: Duration, onEnd: @escaping @Loop () -> Void) {
    end?.cancel()
    end = LoopTimer(after: duration, onEnd)
  }

  func stop() { end?.cancel() }

  func record(_ content: CaptureRecord.Content) {
    let time = Duration.nanoseconds(MonotonicTime.now.nanoseconds - begun.nanoseconds)
    let shown = trafficIsSecret ? content.withoutTraffic : content
    guard let value = CaptureRecord(shown, at: time).value else { return }
    publish(JSON.bytes(of: redaction.blotted(value)))
  }
}
