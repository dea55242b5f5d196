import DeviceModel
import EventLoop
import JSON

extension Bridge {
  func submit(_ commands: [Command], to device: DeviceRuntime) {
    batchNumber += 1
    let batch = CommandBatch(number: batchNumber, commands)
    request(.commands(batch), of: device)
  }

  func transmit(_ bytes: [UInt8], to device: DeviceRuntime) {
    batchNumber += 1
    request(.transmit(number: batchNumber, bytes), of: device)
  }

  private func request(_ work: DeviceRequest.Work, of device: DeviceRuntime) {
    var request = DeviceRequest(work: work)
    let property = request.property
    request.outcome = { [weak self] rejection in
      if let rejection { self?.reportFailure(device.id.text, property?.text, rejection) }
    }
    device.submit(request)
  }

  func reportFailure(_ device: String?, _ property: String?, _ rejection: Rejection) {
    // Home Assistant believes what it sent where the board gives no evidence: it is told again what is so.
    if let device = device.flatMap({ devices[$0] }),
      device.description.properties.contains(where: \.isAssumed)
    {
      device.republish()
    }
    var members = Value.Members([("event_type", "command_failed")])
    members["device"] = device.map { .text($0) } ?? .unknown
    members["property"] = property.map { .text($0.excerpt) } ?? .unknown
    members["reason"] = .text(rejection.reason.rawValue)
    members["error"] = .text(rejection.explanation)
    publisher.publishEvent(.object(members), to: topics.bridgeEvent)
    log.info("command refused (\(rejection.reason.rawValue)): \(rejection.explanation)")
  }
}
