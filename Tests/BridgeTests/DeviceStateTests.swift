import DeviceModel
import Testing

@testable import Bridge

struct DeviceStateTests {
  private let description = DeviceDescription(properties: [
    Property("power", name: nil, .switch(), verbs: [.set]),
    Property("temperature", name: "Temperature", .sensor()),
    Property("reset", name: "Reset", .button(), verbs: [.set]),
  ])

  private func moment(_ seconds: Double) -> Moment {
    Moment(uptime: .seconds(seconds), wall: Timestamp(seconds: 0))
  }

  private func text(_ state: DeviceState) -> String { String(decoding: state.json(), as: UTF8.self) }

  @Test func `what was not reported is null and a button has no state`() {
    #expect(text(DeviceState(description)) == #"{"power":null,"temperature":null}"#)
  }

  @Test func `a boolean is published in the words of its property`() {
    var state = DeviceState(description)
    let isNew = state.report("power", .boolean(true), at: moment(0))
    #expect(isNew)
    #expect(text(state) == #"{"power":"ON","temperature":null}"#)
  }

  @Test func `an equal value and an unknown key change nothing`() {
    var state = DeviceState(description)
    _ = state.report("temperature", .number(21), at: moment(0))
    _ = state.takeChanged()
    let again = state.report("temperature", .number(21), at: moment(1))
    let foreign = state.report("colour", "red", at: moment(1))
    #expect(!again && !foreign)
    #expect(state.takeChanged().isEmpty)
  }

  @Test func `a number that is not finite is unknown`() {
    var state = DeviceState(description)
    _ = state.report("temperature", .number(.nan), at: moment(0))
    #expect(state["temperature"] == .unknown)
  }

  @Test func `bare values have no quotes and unknown is None`() {
    #expect(String(decoding: DeviceState.bare("LOCKED"), as: UTF8.self) == "LOCKED")
    #expect(String(decoding: DeviceState.bare(.unknown), as: UTF8.self) == "None")
    #expect(String(decoding: DeviceState.bare(.number(21.5)), as: UTF8.self) == "21.5")
    #expect(String(decoding: DeviceState.bare([["name": "x"]]), as: UTF8.self) == #"[{"name":"x"}]"#)
  }

  @Test func `a small change is held back until changes add up`() {
    var state = DeviceState(description) { $0 == "temperature" ? PropertyFilter(minimumChange: 0.5) : nil }
    _ = state.report("temperature", .number(20), at: moment(0))
    let small = state.report("temperature", .number(20.4), at: moment(1))
    let large = state.report("temperature", .number(20.5), at: moment(2))
    #expect(!small && large)
  }

  @Test func `the newest of frequent changes is reported when the interval is over`() {
    var state = DeviceState(description) { _ in PropertyFilter(minimumInterval: .seconds(10)) }
    _ = state.report("temperature", .number(20), at: moment(0))
    _ = state.report("temperature", .number(21), at: moment(1))
    _ = state.report("temperature", .number(22), at: moment(2))
    #expect(state["temperature"] == .number(20))
    #expect(state.nextRelease == .seconds(10))
    let isReleased = state.release(at: moment(10))
    #expect(isReleased)
    #expect(state["temperature"] == .number(22))
    #expect(state.nextRelease == nil)
  }

  @Test func `a change that was held back and taken back is not reported`() {
    var state = DeviceState(description) { _ in PropertyFilter(minimumInterval: .seconds(10)) }
    _ = state.report("temperature", .number(20), at: moment(0))
    _ = state.report("temperature", .number(21), at: moment(1))
    _ = state.report("temperature", .number(20), at: moment(2))
    #expect(state.nextRelease == nil)
  }

  @Test func `a new description keeps the values of what remains`() {
    var state = DeviceState(description)
    _ = state.report("temperature", .number(20), at: moment(0))
    state.describe(
      DeviceDescription(properties: [
        Property("temperature", name: "Temperature", .sensor()), Property("light", name: "Light", .sensor()),
      ]))
    #expect(text(state) == #"{"temperature":20,"light":null}"#)
  }
}
