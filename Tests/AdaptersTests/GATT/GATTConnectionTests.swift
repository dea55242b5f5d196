import DeviceModel
import Testing

@testable import Adapters

/// What a GATT device tells belongs to the present connection.
struct `A GATT device that comes back` {
  @Test func `it is there when all that is declared has its answer, with values of this connection`() {
    var board = Sensor(["services": ["battery"], "characteristics": [.object(Sensor.led)]])
    #expect(!board.talk.connect().contains(.alive))
    for _ in 0..<2 {
      #expect(!board.tell(.subscribed(Sensor.battery)).contains(.alive))
      #expect(!board.tell(.value(Sensor.battery, [77])).contains(.alive))
      #expect(!board.tell(.refused(Sensor.switched, .subscribe, "no")).contains(.alive))
      #expect(board.tell(.value(Sensor.switched, [1])).contains(.alive))
      #expect(board.tell(.value(Sensor.battery, [76])).contains(.alive))
      board.talk.disconnect()
      _ = board.talk.connect()
    }
  }

  @Test func `a value of the last connection is not told as one of this`() {
    var board = Sensor(["services": ["battery"], "characteristics": [.object(Sensor.led)]])
    board.settle([1])
    #expect(board.talk.state["led"] == true && board.talk.state["battery"] == 1.0)
    board.talk.disconnect()
    _ = board.talk.connect()
    board.tell(.subscribed(Sensor.battery))
    board.tell(.refused(Sensor.battery, .read, "unlikely error"))
    board.tell(.refused(Sensor.switched, .subscribe, "no"))
    #expect(board.tell(.refused(Sensor.switched, .read, "unlikely error")).contains(.alive))
    #expect(board.talk.state["led"] == .unknown && board.talk.state["battery"] == .unknown)
    board.tell(.value(Sensor.battery, [1]))
    #expect(board.talk.state["battery"] == 1.0, "the same as before the loss is news")
  }

  @Test func `a part is not written with what stood beside it in the last connection`() {
    var other = Sensor.led
    other["name"] = "Buzzer"
    other["bit"] = 9
    var board = Sensor(["characteristics": [.object(Sensor.led), .object(other)]])
    board.settle([0xFF, 0xFF])
    board.talk.disconnect()
    _ = board.talk.connect()
    #expect(board.talk.command(1, Command("buzzer", true)).reasons == [.notNow])
    board.tell(.refused(Sensor.switched, .subscribe, "no"))
    board.tell(.value(Sensor.switched, [0, 0]))
    #expect(
      board.talk.command(2, Command("buzzer", true)).orders == [
        .write(Sensor.switched, [0, 2], number: 1)
      ])
  }

  @Test func `of one that is only written what was written stands until the link goes`() {
    var board = Sensor(["characteristics": [.object(Sensor.led)]])
    _ = board.talk.connect()
    for _ in 0..<2 {
      board.tell(.refused(Sensor.switched, .subscribe, "the board does not offer this"))
      board.tell(.refused(Sensor.switched, .read, "the board does not offer this"))
      #expect(board.talk.state["led"] == .unknown)
      let number = board.talk.command(1, Command("led", true)).orders.compactMap { order in
        if case .write(_, _, let number) = order { number } else { nil }
      }
      board.tell(.written(number: number.first ?? 0))
      board.tell(.refused(Sensor.switched, .read, "the board does not offer this"))
      #expect(board.talk.state["led"] == true)
      board.talk.disconnect()
      _ = board.talk.connect()
    }
  }

  @Test func `a polled value that cannot be read any more is unknown until it can`() {
    var board = Sensor(["services": ["battery"], "poll": "10s"])
    _ = board.talk.connect()
    board.tell(.refused(Sensor.battery, .subscribe, "no"))
    board.tell(.value(Sensor.battery, [77]))
    board.talk.pass(.seconds(10))
    board.tell(.refused(Sensor.battery, .read, "unlikely error"))
    #expect(board.talk.state["battery"] == .unknown)
    board.talk.pass(.seconds(10))
    board.tell(.value(Sensor.battery, [77]))
    #expect(board.talk.state["battery"] == 77.0)
  }
}
