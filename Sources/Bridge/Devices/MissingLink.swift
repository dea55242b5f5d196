import DeviceModel
import EventLoop
import Links

/// Stands for a link that cannot be: every attempt fails with the reason.
@Loop final class MissingLink: Link {
  private let why: String
  private let handler: LinkEvent.Handler
  var isReading = true

  init(_ why: String, handler: @escaping LinkEvent.Handler) {
    self.why = why
    self.handler = handler
  }

  func connect() {
    Loop.atTurnEnd { [handler, why] in handler(.down(.unavailable(why))) }
  }

  var hasUnsent: Bool { false }
  func disconnect() {}
  func send(_ send: Output.Send) {}
}
