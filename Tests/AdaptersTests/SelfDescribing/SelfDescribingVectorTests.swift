import DeviceModel
import Testing

@testable import Adapters

struct `The self-describing boards' vectors` {
  @Test func `values mean what their vector says`() throws {
    for vector in try Vectors.load("self-describing-values.json") {
      let entity = try LineForm.Entity(Array(try #require(vector.text("description")).utf8))
      let line = try LineForm.BoardLine(Array(try #require(vector.text("value")).utf8))
      guard case .value(index: 0, let bare) = line else {
        Issue.record("no value")
        continue
      }
      let value = entity.value(bare)
      if vector["error"] != nil {
        #expect(value == nil, vector.why)
      } else {
        #expect(value?.comparable == vector["state"]?.comparable, vector.why)
      }
    }
  }
}
