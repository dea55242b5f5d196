import Testing

@testable import Adapters

struct `Presence with a hold-down` {
  private let silence = Duration.seconds(30)

  @Test func `what is heard is there at once, and gone after the silence, each told once`() {
    var presence = HeldPresence(.absent, silence: silence)
    presence.listen(at: .seconds(0))
    #expect(presence.heard(at: .seconds(5)) == .returned)
    #expect(presence.heard(at: .seconds(6)) == nil)
    #expect(presence.deadline == .seconds(36))
    #expect(presence.expire(at: .milliseconds(35_999)) == nil)
    #expect(presence.expire(at: .seconds(36)) == .left)
    #expect(presence.expire(at: .seconds(99)) == nil)
    #expect(presence.deadline == nil)
    #expect(presence.heard(at: .seconds(100)) == .returned)
  }

  @Test func `one lost advertisement is no exit`() {
    var presence = HeldPresence(silence: silence)
    presence.listen(at: .zero)
    _ = presence.heard(at: .seconds(1))
    for second in stride(from: 2, through: 600, by: 29) {
      #expect(presence.expire(at: .seconds(second)) == nil)
      #expect(presence.heard(at: .seconds(second)) == nil)
    }
  }

  @Test func `where nothing was known before, nothing has returned or left`() {
    var presence = HeldPresence(silence: silence)
    #expect(presence.deadline == nil, "nobody listens")
    presence.listen(at: .seconds(10))
    #expect(presence.expire(at: .seconds(39)) == nil)
    #expect(presence.expire(at: .seconds(40)) == .missed)
    #expect(presence.state == .absent)

    presence = HeldPresence(silence: silence)
    presence.listen(at: .seconds(10))
    #expect(presence.heard(at: .seconds(11)) == .found)
  }

  @Test func `what left while nobody ran has left once`() {
    var presence = HeldPresence(.present, silence: silence)
    presence.listen(at: .seconds(1))
    #expect(presence.expire(at: .seconds(31)) == .left)

    presence = HeldPresence(.absent, silence: silence)
    presence.listen(at: .seconds(1))
    #expect(presence.expire(at: .seconds(99)) == nil)
  }

  @Test func `a time without ears is no silence`() {
    var presence = HeldPresence(silence: silence)
    presence.listen(at: .zero)
    _ = presence.heard(at: .seconds(1))
    presence.stopListening()
    #expect(presence.deadline == nil)
    #expect(presence.expire(at: .seconds(1000)) == nil)
    #expect(presence.state == .present)
    presence.listen(at: .seconds(1000))
    #expect(presence.expire(at: .seconds(1029)) == nil)
    #expect(presence.expire(at: .seconds(1030)) == .left)
  }

  @Test func `being told to listen again starts no silence anew`() {
    var presence = HeldPresence(.present, silence: silence)
    presence.listen(at: .zero)
    presence.listen(at: .seconds(20))
    #expect(presence.deadline == .seconds(30))
  }
}
