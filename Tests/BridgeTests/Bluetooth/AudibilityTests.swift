import EventLoop
import Testing

@testable import Bridge

struct `Whether the air is heard` {
  private func time(_ seconds: Int) -> MonotonicTime {
    MonotonicTime(nanoseconds: 0).advanced(by: .seconds(seconds))
  }

  @Test func `is what Bluetooth says of itself, through moments in which it does not scan`() {
    var audibility = Audibility()
    audibility.bluetooth = .deaf("the Bluetooth adapter is off")
    audibility.deafen(true, at: time(0))
    #expect(audibility.hearing(at: time(100)) == .deaf("the Bluetooth adapter is off"))
    audibility.bluetooth = .hears
    audibility.deafen(false, at: time(101))
    for second in stride(from: 110, to: 500, by: 60) {
      audibility.deafen(true, at: time(second))
      #expect(audibility.hearing(at: time(second + 59)) == .hears)
      audibility.deafen(false, at: time(second + 59))
      #expect(audibility.deadline == nil)
    }
  }

  @Test func `is denied when an adapter that is on has not scanned for a minute`() {
    var audibility = Audibility()
    audibility.bluetooth = .hears
    audibility.deafen(true, at: time(10))
    audibility.deafen(true, at: time(40))
    #expect(audibility.deadline == time(70))
    #expect(audibility.hearing(at: time(70)) == .deaf("the Bluetooth adapter does not scan"))
    audibility.deafen(false, at: time(90))
    #expect(audibility.hearing(at: time(90)) == .hears)
  }
}
