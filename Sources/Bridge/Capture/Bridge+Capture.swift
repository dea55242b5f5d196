import DeviceModel
import EventLoop
import MQTT

extension Bridge {
  /// `capture`: tells on a topic what a device's adapter is told and sends, for `seconds` from now; 0 ends it.
  func captureDevice(_ request: Request) {
    guard let device = device(of: request) else { return }
    guard let seconds = request.members["seconds"]?.asInteger, (0...DeviceCapture.longest).contains(seconds)
    else {
      respond(
        to: request,
        error: "'seconds' is missing or wrong: a whole number from 0 to \(DeviceCapture.longest) is expected")
      return
    }
    if seconds == 0 {
      device.endCapture()
      respond(to: request, data: [:])
      return
    }
    let isNew = device.capture == nil
    let capture = device.capture ?? makeCapture(of: device)
    capture.extend(by: .seconds(seconds)) { [weak device] in device?.endCapture() }
    respond(to: request, data: capture.header.value)
    if isNew { device.begin(capture) }
  }

  private func makeCapture(of device: DeviceRuntime) -> DeviceCapture {
    let topic = topics.capture(device.id.text)
    return DeviceCapture(device.setup) { [publisher] bytes in publisher.publishEvent(bytes, to: topic) }
  }
}

extension DeviceRuntime {
  /// Links that are up already are told as if they came up now: a replay begins with them.
  func begin(_ capture: DeviceCapture) {
    self.capture = capture
    for link in links where link.isUp {
      capture.record(.input(.linkUp(link.role, maximumPacket: link.maximumPacket)))
    }
  }

  func endCapture() {
    capture?.stop()
    capture = nil
  }
}
