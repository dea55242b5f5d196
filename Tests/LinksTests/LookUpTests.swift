import Dispatch
import EventLoop
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Links

/// Name servers that are silent, late or wrong.
@Suite(.timeLimit(.minutes(4)))
struct LookUpTests {
  init() { #expect(LoopThread.started) }

  /// A name server that is asked and answers when the test says so.
  final class Server: Sendable {
    let questions = Inbox<Int>("questions to the name server")
    private let answers = Inbox<AddressLookUp.Answer>("answers")
    private let semaphore = DispatchSemaphore(value: 0)

    var lookUp: AddressLookUp.LookUp {
      { _, _ in
        self.questions.append(1)
        self.semaphore.wait()
        return self.answers.all.last ?? .success([])
      }
    }

    func answer(_ answer: AddressLookUp.Answer) {
      answers.append(answer)
      semaphore.signal()
    }
  }

  @Loop @Test func `a look-up without an answer ends in time and holds nobody up`() async throws {
    let server = Server()
    let link = TestLink(timeout: .milliseconds(100), lookUp: server.lookUp)
    link.connect()
    #expect(try await link.recorder.down() == .timedOut(after: .milliseconds(100)))
    server.answer(.success([]))
    await turns()
    #expect(link.recorder.events.count == 1)
  }

  @Loop @Test
  func `attempts that end before their look-up start no second thread, and the last gets the answer`()
    async throws
  {
    let server = Server()
    let peer = try Peer()
    let link = TestLink(timeout: .milliseconds(50), lookUp: server.lookUp)
    for _ in 0..<5 {
      let before = link.recorder.events.count
      link.connect()
      _ = try await link.recorder.down(from: before)
    }
    let patient = TestLink(timeout: .seconds(10), lookUp: server.lookUp)
    patient.connect()
    patient.disconnect()
    patient.connect()
    try await server.questions.first(from: 1)
    #expect(server.questions.count == 2)
    let address = AddressLookUp.look(host: "127.0.0.1", port: peer.port, flags: AI_NUMERICHOST)
    server.answer(address)
    server.answer(address)
    _ = try await peer.accept()
    try await patient.recorder.event("up")
    #expect(server.questions.count == 2)
    patient.disconnect()
  }

  @Loop @Test func `an answer that comes after the owner closed is dropped`() async throws {
    let server = Server()
    let link = TestLink(timeout: .seconds(10), lookUp: server.lookUp)
    link.connect()
    try await server.questions.first()
    link.disconnect()
    server.answer(.failure(.nameNotFound(host: "board.lan", why: "late")))
    // That nothing comes of it cannot be awaited.
    try await Loop.sleep(for: .milliseconds(50))
    #expect(link.recorder.events.count == 0)
  }

  @Loop @Test func `a name with no address at all is unreachable`() async throws {
    let link = TestLink([], port: 1, timeout: .seconds(5))
    link.connect()
    #expect(try await link.recorder.down() == .unreachable("no address"))
  }

  @Test(arguments: ["127.0.0.1", "::1", "fe80::1%lo", "0:0:0:0:0:0:0:1"])
  func `addresses in digits need no look-up`(host: String) throws {
    let addresses = try AddressLookUp.look(host: host, port: 230, flags: AI_NUMERICHOST).get()
    #expect(addresses.count == 1)
    #expect(addresses[0].port == 230)
    #expect(addresses[0].family == (host.contains(":") ? AF_INET6 : AF_INET))
  }

  @Test(arguments: ["", "localhost", "127.0.0.256", "[::1]", "1.2.3.4 "])
  func `anything else does`(host: String) {
    guard case .failure(.nameNotFound) = AddressLookUp.look(host: host, port: 230, flags: AI_NUMERICHOST)
    else {
      Issue.record("taken for an address")
      return
    }
  }
}
