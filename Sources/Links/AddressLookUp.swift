import EventLoop
import Glibc

/// A name to its addresses. The C library blocks in it for as long as the name servers are silent, so a name is
/// looked up on a thread of its own; an address in digits is not.
@Loop final class AddressLookUp {
  typealias Answer = Result<[SocketAddress], LinkFailure>
  typealias LookUp = @Sendable (_ host: String, _ port: UInt16) -> Answer

  private let host: String
  private let port: UInt16
  private let call: BlockingCall<Answer>
  private var claim: (@Loop (Answer) -> Void)?

  init(host: String, port: UInt16, lookUp: @escaping LookUp = { look(host: $0, port: $1, flags: 0) }) {
    self.host = host
    self.port = port
    call = BlockingCall { lookUp(host, port) }
  }

  /// Calls `claim` on the loop, not from within this call, unless ``giveUp()`` is called before.
  func begin(_ claim: @escaping @Loop (Answer) -> Void) {
    self.claim = claim
    if let addresses = try? Self.look(host: host, port: port, flags: AI_NUMERICHOST).get() {
      answerSoon(.success(addresses))
      return
    }
    do throws(LinkFailure) {
      try call.begin { self.answer($0) }
    } catch {
      answerSoon(.failure(error))
    }
  }

  func giveUp() {
    claim = nil
    call.giveUp()
  }

  private func answerSoon(_ answer: Answer) {
    // Given up and begun anew in one turn, the earlier answer comes for the later question: it is the same.
    Loop.atTurnEnd { self.answer(answer) }
  }

  private func answer(_ answer: Answer) {
    guard let claim else { return }
    self.claim = nil
    claim(answer)
  }

  nonisolated static func look(host: String, port: UInt16, flags: Int32) -> Answer {
    var hints = addrinfo()
    // One entry for each address instead of one for each protocol; the addresses serve UDP as well.
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_flags = flags | AI_NUMERICSERV
    var list: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(host, String(port), &hints, &list)
    guard code == 0 else {
      let why = code == EAI_SYSTEM ? SystemError.words : String(cString: gai_strerror(code))
      return .failure(.nameNotFound(host: host, why: why))
    }
    defer { freeaddrinfo(list) }
    var addresses: [SocketAddress] = []
    var next = list
    while let information = next {
      addresses.append(SocketAddress(information.pointee))
      next = information.pointee.ai_next
    }
    return .success(addresses)
  }
}
