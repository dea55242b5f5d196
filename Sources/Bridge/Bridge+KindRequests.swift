import DeviceModel
import EventLoop

/// A request that a device's adapter has and did not answer yet.
struct OpenRequest {
  var request: Bridge.Request
  var device: DeviceRuntime
  var timer: LoopTimer
}

/// Requests that devices of a kind answer.
extension Bridge {
  /// An adapter that takes longer for its answer gives none.
  static let answerLimit = Duration.seconds(15)
  /// More are refused.
  static let openRequestLimit = 64

  /// Gives `request` to the device that it names, which must be one of `kinds`.
  func ask(deviceOf kinds: [String], _ request: Request) {
    guard let device = device(of: request) else { return }
    guard kinds.contains(device.setup.kind.name) else {
      respond(
        to: request,
        error:
          "\(device.id) is a \(device.setup.kind.name); \(request.name) is for \(kinds.joined(separator: ", "))"
      )
      return
    }
    guard openRequests.count < Self.openRequestLimit else {
      respond(to: request, error: "\(Self.openRequestLimit) requests wait for their answers already")
      return
    }
    batchNumber += 1
    let asked = KindRequest(number: batchNumber, request.name, request.members)
    device.submit(
      DeviceRequest(work: .request(asked)) { [weak self] rejection in
        if let rejection {
          self?.respond(to: request, error: rejection.explanation)
        } else {
          self?.expectAnswer(asked.number, to: request, of: device)
        }
      })
  }

  private func expectAnswer(_ number: UInt64, to request: Request, of device: DeviceRuntime) {
    let timer = LoopTimer(after: Self.answerLimit) { [weak self] in
      self?.finish(number, .failure(Rejection(.timeout, "\(device.id) did not answer in time")))
    }
    openRequests[number] = OpenRequest(request: request, device: device, timer: timer)
  }

  /// An answer that comes late, or a second time, finds nobody.
  private func finish(_ number: UInt64, _ result: Result<Value, Rejection>) {
    guard let open = openRequests.removeValue(forKey: number) else { return }
    open.timer.cancel()
    switch result {
    case .success(let data): respond(to: open.request, data: data)
    case .failure(let rejection): respond(to: open.request, error: rejection.explanation)
    }
  }

  func answered(_ device: DeviceRuntime, _ number: UInt64, _ result: Result<Value, Rejection>) {
    if openRequests[number]?.device === device { finish(number, result) }
  }

  /// Answers what a device that is let go, or any, has not answered.
  func failOpenRequests(of device: DeviceRuntime?) {
    for (number, open) in openRequests where device == nil || open.device === device {
      finish(number, .failure(Rejection(.notNow, "the bridge leaves \(open.device.id)")))
    }
  }
}
