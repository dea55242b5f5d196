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

  @Test func `a moment without ears neither ends a silence nor counts, beyond what has to be heard of it`() {
    var presence = HeldPresence(silence: .seconds(6))
    presence.listen(at: .zero)
    _ = presence.heard(at: .seconds(1))
    presence.deafen(true, at: .seconds(2))
    #expect(presence.deadline == nil && presence.expire(at: .seconds(50)) == nil)
    presence.deafen(false, at: .seconds(12))
    // Five seconds of listening, of which one was before.
    #expect(presence.deadline == .seconds(16))
    presence.deafen(true, at: .seconds(13))
    presence.deafen(true, at: .seconds(14))
    presence.deafen(false, at: .seconds(15))
    #expect(presence.deadline == .seconds(18))
    #expect(presence.expire(at: .milliseconds(17_999)) == nil)
    #expect(presence.expire(at: .seconds(18)) == .left)
  }

  @Test func `a long silence is not made longer by a moment without ears`() {
    var presence = HeldPresence(.present, silence: silence)
    presence.listen(at: .zero)
    presence.deafen(true, at: .seconds(5))
    presence.deafen(false, at: .seconds(25))
    #expect(presence.deadline == .seconds(30))
    presence.deafen(true, at: .seconds(25))
    presence.deafen(false, at: .seconds(45))
    #expect(presence.deadline == .seconds(45), "five seconds were listened")
    // Heard in a moment when that is hardly possible: the silence begins there.
    presence.deafen(true, at: .seconds(44))
    #expect(presence.heard(at: .seconds(50)) == nil)
    presence.deafen(false, at: .seconds(52))
    #expect(presence.deadline == .seconds(80))
  }

  @Test func `one that listens while it is still deaf begins with the first sound that it could hear`() {
    var presence = HeldPresence(silence: .seconds(2))
    presence.deafen(true, at: .zero)
    presence.listen(at: .seconds(1))
    #expect(presence.deadline == nil)
    presence.deafen(false, at: .seconds(4))
    #expect(presence.deadline == .seconds(6))
    presence.stopListening()
    presence.deafen(true, at: .seconds(5))
    #expect(presence.deadline == nil)
  }
}
