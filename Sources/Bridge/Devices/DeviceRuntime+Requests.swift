import DeviceModel
import EventLoop
import Links

extension DeviceRuntime {
  /// Gives `request` to the adapter as soon as the primary link is up; refuses it when it will not be.
  ///
  /// A device without links has it at once, as has an adapter what needs no link.
  func submit(_ request: DeviceRequest) {
    guard !isLeaving else {
      request.outcome(Rejection(.notNow, "the bridge leaves \(id)"))
      return
    }
    guard let primary, !needsNoLink(request) else {
      request.outcome(nil)
      feed(request.input)
      return
    }
    guard waiting.count < Self.waitingLimit else {
      request.outcome(Rejection(.busy, "\(id) has \(Self.waitingLimit) requests waiting"))
      return
    }
    waiting.append(request)
    primary.wanted()
  }

  private func needsNoLink(_ request: DeviceRequest) -> Bool {
    guard case .commands(let batch) = request.work else { return false }
    return batch.commands.allSatisfy { description[$0.property]?.needsNoLink == true }
  }

  func deliverWaiting() {
    let requests = waiting
    waiting.removeAll(keepingCapacity: true)
    for request in requests {
      request.outcome(nil)
      feed(request.input)
    }
  }

  func refuseWaiting(_ rejection: Rejection) {
    let requests = waiting
    waiting.removeAll(keepingCapacity: true)
    for request in requests { request.outcome(rejection) }
  }
}

extension LinkFailure {
  /// What a command that waited for the link failed of.
  var rejectionReason: Rejection.Reason {
    switch self {
    case .refused: .busy
    case .gaveUp, .overflow, .broken, .closedByPeer: .linkError
    default: .away
    }
  }
}
