import Configuration
import DeviceModel
import EventLoop
import Links

/// Makes links of every transport from what the configuration says.
@Loop final class LinkFactory {
  func make(_ settings: Configuration.Link, handler: @escaping LinkEvent.Handler) -> any Link {
    switch settings.target {
    case .tcp(let address):
      TCPLink(
        host: address.host, port: UInt16(clamping: address.port), timeout: settings.connectTimeout,
        handler: handler)
    case .udp, .serial, .ble, .capture:
      MissingLink("the transport \(settings.transport.rawValue) is not served", handler: handler)
    }
  }
}

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

  func disconnect() {}
  func send(_ send: Output.Send) {}
}
