import Configuration
import DeviceModel
import Foundation
import Testing

struct `The reference page` {
  @Test func `it holds the table of the schema`() throws {
    let page = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources/sketch2mqtt/sketch2mqtt.docc/Configuration.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    let table = Configuration.schema.markdownTable
    #expect(text.hasSuffix("\n\n" + table), "its end should be:\n\(table)")
  }
}
