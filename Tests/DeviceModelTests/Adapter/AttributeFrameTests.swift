import DeviceModel
import Testing

struct `Orders to attributes, and their news` {
  private static let battery = AttributeID(
    BluetoothUUID(assigned: 0x2A19), of: BluetoothUUID(assigned: 0x180F))
  private static let anywhere = AttributeID(BluetoothUUID(assigned: 0x2A6E))

  @Test func `what was written as bytes is read as it was`() throws {
    for order: AttributeOrder in [
      .read(Self.battery), .read(Self.anywhere), .subscribe(Self.battery), .forgetServices,
      .write(Self.anywhere, [], number: 0), .write(Self.battery, [1, 2, 3], number: 0x1234_5678),
      .write(Self.battery, Array(repeating: 7, count: AttributeOrder.longestValue), number: .max),
    ] {
      #expect(try AttributeOrder(bytes: order.bytes) == order)
      #expect(order.bytes.count <= AttributeOrder.longest)
    }
    for news: AttributeNews in [
      .value(Self.battery, [77]), .value(Self.anywhere, []), .subscribed(Self.battery), .written(number: 9),
      .missing(Self.anywhere, .read), .refused(Self.battery, .write(number: 4), "the board says no: é"),
      .refused(Self.battery, .subscribe, ""),
    ] {
      #expect(try AttributeNews(bytes: news.bytes) == news)
    }
  }

  @Test func `bytes that are neither are refused with what is wrong`() {
    let read = AttributeOrder.read(Self.battery).bytes
    for (bytes, error) in [
      ([], .empty), ([0x21], .unknownKind(0x21)), (Array(read.dropLast()), .truncated(needed: 33, got: 32)),
      (read + [0], .trailing(1)), (Array("w".utf8), .truncated(needed: 17, got: 1)),
      (
        Array("w".utf8) + read.dropFirst() + [0, 0, 0, 0] + Array(repeating: 0, count: 513), .tooLong(513)
      ),
    ] as [([UInt8], AttributeFrameError)] {
      #expect(throws: error) { try AttributeOrder(bytes: bytes) }
    }
    let refused = AttributeNews.refused(Self.battery, .read, "").bytes
    #expect(throws: AttributeFrameError.notText) { try AttributeNews(bytes: refused + [0xFF]) }
    let unknown = Array(AttributeNews.missing(Self.battery, .read).bytes.dropLast()) + [0x21]
    #expect(throws: AttributeFrameError.unknownOperation(0x21)) { try AttributeNews(bytes: unknown) }
    #expect(throws: AttributeFrameError.unknownKind(0x72)) { try AttributeNews(bytes: read) }
  }

  @Test func `any bytes are an order, news, or neither`() {
    for _ in 0..<5000 {
      let bytes =
        (Array("rwsfVSWMR".utf8).randomElement().map { [$0] } ?? [])
        + (0..<Int.random(in: 0...600)).map { _ in UInt8.random(in: 0...255) }
      if let order = try? AttributeOrder(bytes: bytes) { #expect(order.bytes == bytes) }
      if let news = try? AttributeNews(bytes: bytes) { #expect(news.bytes == bytes) }
    }
  }
}
