import Testing

@testable import Adapters

/// A schedule worked out minute by minute, as slowly and plainly as can be.
private struct MinuteByMinute {
  var activations: [Activation]
  let minutes: Int

  func isOn(_ activation: Activation, at minute: Int) -> Bool {
    let length = Int(activation.lengthMinutes)
    let period = Int(activation.periodMinutes)
    var start = Int(activation.start) / 60
    while start <= minute {
      if minute < start + length { return true }
      guard period > 0 else { return false }
      start += period
    }
    return false
  }

  func isOn(at minute: Int) -> Bool { activations.contains { isOn($0, at: minute) } }

  /// The first minute after `minute` in which `condition` becomes what it was not in the one before.
  func first(after minute: Int, where condition: (Int) -> Bool) -> Int? {
    (minute + 1..<minutes).first { condition($0) && !condition($0 - 1) }
  }
}

struct `Switching times` {
  private static func activation(
    _ start: Int, _ length: Int, _ period: Int, name: String = "A"
  ) -> Activation {
    Activation(
      name: name, start: UInt32(start * 60), lengthMinutes: UInt16(length), periodMinutes: UInt16(period))
  }

  private static func random(shorterThanPeriod: Bool) -> Activation {
    let period = Bool.random() ? 0 : Int.random(in: 1...40)
    let longest = shorterThanPeriod && period > 0 ? period - 1 : 40
    return activation(Int.random(in: 0...80), Int.random(in: 0...longest), period)
  }

  @Test func `one activation switches as it does minute by minute`() {
    for _ in 0..<80 {
      let activation = Self.random(shorterThanPeriod: true)
      let model = MinuteByMinute(activations: [activation], minutes: 300)
      let wrong = (0..<200).first { minute in
        let on = model.first(after: minute) { model.isOn(activation, at: $0) }.map { Int64($0 * 60) }
        let off = model.first(after: minute) { !model.isOn(activation, at: $0) }.map { Int64($0 * 60) }
        return [Int64(minute * 60), Int64(minute * 60 + 59)].contains { second in
          activation.isOn(at: second) != model.isOn(activation, at: minute)
            || activation.nextOn(after: second) != on || activation.nextOff(after: second) != off
        }
      }
      #expect(wrong == nil, "\(activation)")
    }
  }

  @Test func `several activations switch the appliance as they do minute by minute`() {
    for _ in 0..<80 {
      let activations = (0..<Int.random(in: 0...4)).map { _ in Self.random(shorterThanPeriod: false) }
      let model = MinuteByMinute(activations: activations, minutes: 2000)
      let schedule = PlugSchedule(activations)
      let states = (0..<2000).map { model.isOn(at: $0) }
      let wrong = stride(from: 0, to: 200, by: 3).first { minute in
        let next = states[(minute + 1)...].firstIndex { $0 != states[minute] }.map { Int64($0 * 60) }
        // What is beyond the model may come or not.
        let found = schedule.nextSwitch(after: Int64(minute * 60)).flatMap { $0 < 2000 * 60 ? $0 : nil }
        return (schedule.running(at: Int64(minute * 60)) != nil) != states[minute] || found != next
      }
      #expect(wrong == nil, "\(activations)")
    }
  }

  @Test func `clashes are those found minute by minute`() {
    var count = 0
    for _ in 0..<600 {
      let (first, second) = (Self.random(shorterThanPeriod: true), Self.random(shorterThanPeriod: true))
      let now = Int.random(in: 0...120)
      let model = MinuteByMinute(activations: [first, second], minutes: 0)
      // All periods are at most 40 minutes: what has not met within 40 × 40 minutes never does.
      let meets = (now..<now + 120 + 1600).contains {
        model.isOn(first, at: $0) && model.isOn(second, at: $0)
      }
      let clashes = PlugSchedule([first, second]).hasClash(after: Int64(now * 60))
      #expect(clashes == meets, "\(first) \(second) \(now)")
      #expect(PlugSchedule([second, first]).hasClash(after: Int64(now * 60)) == clashes)
      count += meets ? 1 : 0
    }
    #expect((60...540).contains(count))
  }

  @Test func `a change is announced whenever anything in the report changes`() {
    for _ in 0..<50 {
      let schedule = PlugSchedule((0..<3).map { _ in Self.random(shorterThanPeriod: false) })
      var time: Int64 = 0
      while let change = schedule.nextChange(after: time), change < 200 * 60 {
        let wrong = [(time + change) / 2, change - 1].first { second in
          schedule.activations.contains { $0.value(at: second) != $0.value(at: time) }
            || schedule.nextSwitch(after: second) != schedule.nextSwitch(after: time)
            || schedule.running(at: second) != schedule.running(at: time)
        }
        #expect(wrong == nil, "\(schedule) \(time)")
        time = change
      }
    }
  }

  @Test func `touching activations are one stretch and no clash`() {
    let schedule = PlugSchedule([Self.activation(10, 5, 60), Self.activation(15, 5, 60)])
    #expect(!schedule.hasClash(after: 0))
    #expect(schedule.nextSwitch(after: 12 * 60) == Int64(1200))
  }

  @Test func `an appliance that is never switched off has no next switch`() {
    let turns = PlugSchedule([Self.activation(0, 30, 60), Self.activation(30, 30, 60)])
    #expect(turns.nextSwitch(after: 0) == nil)
    #expect(!turns.hasClash(after: 0))
    let longer = PlugSchedule([Self.activation(0, 60, 60)])
    #expect(longer.nextSwitch(after: 0) == nil)
    #expect(longer.activations[0].nextOff(after: 0) == nil)
    #expect(!longer.hasClash(after: 0))
    #expect(PlugSchedule([Self.activation(0, 61, 60)]).hasClash(after: 0))
  }

  @Test func `a full table of long activations is worked out in bounded work`() {
    let schedule = PlugSchedule(
      (0..<255).map { Self.activation($0, 65534 - $0, 65535 - ($0 % 7), name: "\($0)") })
    #expect(schedule.hasClash(after: 4_000_000_000))
    #expect(schedule.nextSwitch(after: 4_000_000_000) == nil)
  }

  @Test func `the last times that 32 and 16 bits can hold do not overflow`() {
    let last = Activation(name: "last", start: .max, lengthMinutes: .max, periodMinutes: 0)
    #expect(last.nextOn(after: 0) == Int64(4_294_967_295))
    #expect(last.nextOff(after: 0) == Int64(4_298_899_395))
    #expect(last.nextOff(after: .max / 2) == nil)
    let repeated = Activation(name: "repeated", start: 0, lengthMinutes: 1, periodMinutes: .max)
    #expect(repeated.nextOn(after: 4_294_967_295).map { $0 > 4_294_967_295 } == true)
    #expect(repeated.isOn(at: -1) == false)
  }
}
