import EventLoop
@testable import MQTT
import Testing

@Suite struct RecognizerTests {
  @Test func `three young connections that one server closes in a row are a take-over`() {
    var recognizer = TakeOverRecognizer(youngUnder: .seconds(60))
    let told = (0..<4).map { _ in recognizer.closed(by: 1, age: .seconds(5)) }
    #expect(told == [nil, nil, 3, 4])
  }

  @Test func `servers that close one after the other are ending themselves`() {
    var recognizer = TakeOverRecognizer(youngUnder: .seconds(60))
    let told = [0, 1, 2, 0, 0, 1].map { recognizer.closed(by: $0, age: .seconds(5)) }
    #expect(told.allSatisfy { $0 == nil })
  }

  @Test(arguments: [true, false])
  func `an old connection, a broken one or a failed attempt in between starts the count anew`(isOld: Bool) {
    var recognizer = TakeOverRecognizer(youngUnder: .seconds(60))
    for _ in 0..<2 { _ = recognizer.closed(by: 0, age: .seconds(5)) }
    if isOld {
      let told = recognizer.closed(by: 0, age: .seconds(61))
      #expect(told == nil)
    } else {
      recognizer.failed()
    }
    let told = (0..<3).map { _ in recognizer.closed(by: 0, age: .seconds(5)) }
    #expect(told == [nil, nil, 3])
  }

  @Test func `a server that refuses version 5 is spoken to with 3_1_1 for good, the other is not`() {
    var choice = VersionChoice(.newest)
    #expect(choice.version(for: 0) == .v5)
    let isWorthAnother = choice.refused(.v5, by: 0)
    #expect(isWorthAnother)
    #expect(choice.version(for: 0) == .v311)
    #expect(choice.version(for: 1) == .v5)
    let isWorthAThird = choice.refused(.v311, by: 0)
    #expect(!isWorthAThird)
  }

  @Test func `a chosen version is not stepped down from`() {
    var choice = VersionChoice(.only(.v5))
    let isWorthAnother = choice.refused(.v5, by: 0)
    #expect(!isWorthAnother)
    for _ in 0..<3 { _ = choice.unanswered(.v5, by: 0) }
    #expect(choice.version(for: 0) == .v5)
  }

  @Test
  func `a server that hangs up on version 5 twice is tried with 3_1_1, and again with 5 if that fails too`() {
    var choice = VersionChoice(.newest)
    _ = choice.unanswered(.v5, by: 0)
    #expect(choice.version(for: 0) == .v5)
    _ = choice.unanswered(.v5, by: 0)
    #expect(choice.version(for: 0) == .v311)
    #expect(choice.version(for: 1) == .v5)
    let isWorthAnother = choice.unanswered(.v311, by: 0)
    #expect(!isWorthAnother)
    #expect(choice.version(for: 0) == .v5)
  }

  @Test func `a server that was only starting when it hung up is spoken to with version 5`() {
    var choice = VersionChoice(.newest)
    for _ in 0..<2 { _ = choice.unanswered(.v5, by: 0) }
    let isLeft = choice.accepted(.v311, by: 0)
    #expect(isLeft)
    #expect(choice.version(for: 0) == .v5)
    let isLeftAgain = choice.accepted(.v5, by: 0)
    #expect(!isLeftAgain)
    _ = choice.unanswered(.v5, by: 0)
    #expect(choice.version(for: 0) == .v5)
  }

  @Test func `a server that answers 3_1_1 and hangs up on 5 is spoken to with 3_1_1, for one connection`() {
    var choice = VersionChoice(.newest)
    for _ in 0..<2 { _ = choice.unanswered(.v5, by: 0) }
    _ = choice.accepted(.v311, by: 0)
    for _ in 0..<2 {
      #expect(choice.version(for: 0) == .v5)
      let isAskedAtOnce = choice.unanswered(.v5, by: 0)
      #expect(isAskedAtOnce)
      #expect(choice.version(for: 0) == .v311)
      let isLeft = choice.accepted(.v311, by: 0)
      #expect(!isLeft)
    }
  }

  @Test func `messages are counted until sent or acknowledged`() {
    var outstanding = OutstandingMessages()
    outstanding.sending()
    outstanding.awaitAcknowledgement(of: 65_535)
    outstanding.awaitAcknowledgement(of: 64)
    #expect(outstanding.total == 3)
    outstanding.finished(65_535)
    #expect((outstanding.unsent, outstanding.unacknowledged) == (1, 1))
    outstanding.finished(1)
    #expect((outstanding.unsent, outstanding.unacknowledged) == (0, 1))
    outstanding.finished(1)
    #expect(outstanding.total == 1)
  }

  @Test func `with the connection only what was unsent is lost`() {
    var outstanding = OutstandingMessages()
    for _ in 0..<3 { outstanding.sending() }
    outstanding.awaitAcknowledgement(of: 7)
    let lost = outstanding.connectionEnded()
    #expect(lost == 3)
    #expect(outstanding.total == 1)
    let lostInQueue = outstanding.queueEnded()
    #expect(lostInQueue == 1)
    outstanding.finished(7)
    #expect(outstanding.total == 0)
  }

  @Test(arguments: [
    ([], "the handshake failed"),
    (
      ["OpenSSL Error[0]: error:0A000086:SSL routines::certificate verify failed"],
      "certificate verify failed"
    ),
    (
      [
        "Error: host name verification failed.",
        "OpenSSL Error[0]: error:0A000086:SSL routines::certificate verify failed",
      ], "host name verification failed."
    ),
  ])
  func `a TLS failure is told in the library's most telling words`(log: [String], expected: String) {
    #expect(TLSFailure.words(from: log) == expected)
  }

  @Test(arguments: [
    (Int32(1), Refusal.unsupportedProtocolVersion), (4, .badUsernameOrPassword), (5, .notAuthorized),
  ])
  func `refusals of 3_1_1 are translated`(code: Int32, expected: Refusal) {
    #expect(Refusal(connack: code, version: .v311) == expected)
  }
}
