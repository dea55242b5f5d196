import DeviceModel
import EventLoop

/// Something asked of a device, while it waits for the link.
struct DeviceRequest {
  enum Work {
    case commands(CommandBatch)
    case transmit(number: UInt64, [UInt8])
    case refresh
    case request(KindRequest)
  }

  var work: Work
  /// Told once: nil when the adapter has the work, a rejection when it never will.
  var outcome: @Loop (Rejection?) -> Void = { _ in }

  var input: Input {
    switch work {
    case .commands(let batch): .commands(batch)
    case .transmit(let number, let bytes): .transmit(number: number, bytes)
    case .refresh: .refresh
    case .request(let request): .request(request)
    }
  }

  /// What a failure is reported about: the first property, if it is one alone.
  var property: PropertyKey? {
    guard case .commands(let batch) = work, batch.commands.count == 1 else { return nil }
    return batch.commands[0].property
  }
}
