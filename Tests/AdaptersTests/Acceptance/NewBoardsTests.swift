import DeviceModel
import Testing

@testable import Adapters

struct `Boards that nobody has configured` {
  private let now = Timestamp(seconds: 1_796_000_000)

  private func heard(_ last: Int, name: String? = "S2M", services: [BluetoothUUID] = []) -> Advertisement {
    let digits = String(last, radix: 16, uppercase: true)
    let pair = digits.count == 1 ? "0\(digits)" : digits
    return Advertisement(address: "C0:DE:00:00:00:\(pair)", name: name, rssiDBm: -60, services: services)
  }

  @Test func `a board is told once, by its service or its name`() throws {
    var boards = NewBoards(.only([]))
    let service = try #require(BluetoothUUID("b7e1641b-5e7f-489f-8315-60817b4baaea"))
    #expect(NewBoards.service == service)
    for advertisement in [
      heard(1), heard(2, name: "S2Mhouse"), heard(3, name: nil, services: [service]),
      heard(4, name: "UART", services: [service]),
    ] {
      guard case .show(let board)? = boards.hear(advertisement, at: now) else {
        Issue.record("\(advertisement.address) is not shown")
        continue
      }
      #expect(board.place.description == advertisement.address)
      #expect(boards.hear(advertisement, at: now) == nil)
    }
    for advertisement in [
      heard(5, name: "UART", services: [UARTService.nus.service]), heard(6, name: nil), heard(7, name: "s2m"),
      Advertisement(address: "nonsense", name: "S2M"),
    ] {
      #expect(boards.hear(advertisement, at: now) == nil)
    }
    #expect(boards.found.count == 4)
  }

  @Test func `only those are accepted that the policy names`() throws {
    let place = try #require(BoardPlace("c0-de-00-00-00-01"))
    for (policy, accepted, shown): (AcceptancePolicy, Int, Int) in [
      (.off, 0, 0), (.all, 2, 0), (.only([]), 0, 2), (.only([place]), 1, 1),
    ] {
      var boards = NewBoards(policy)
      let decisions = [1, 2].compactMap { boards.hear(heard($0), at: now) }
      #expect(decisions.count { if case .accept = $0 { true } else { false } } == accepted, "\(policy)")
      #expect(decisions.count { if case .show = $0 { true } else { false } } == shown, "\(policy)")
    }
  }

  @Test func `on request one is accepted by its place, or by a name that only it has`() throws {
    var boards = NewBoards(.only([]))
    _ = boards.hear(heard(1, name: "S2Mone"), at: now)
    _ = boards.hear(heard(2), at: now)
    _ = boards.hear(heard(3), at: now)
    #expect(try boards.accept("S2Mone", at: now).description == "C0:DE:00:00:00:01")
    #expect(try boards.accept("c0:de:00:00:00:02", at: now).description == "C0:DE:00:00:00:02")
    #expect(
      try boards.accept("192.168.1.20:2323", at: now) == .tcp(try #require(HostPort("192.168.1.20:2323"))))
    #expect(try boards.accept("/dev/ttyACM0", at: now) == .serial("/dev/ttyACM0"))
    #expect(boards.found.filter(\.isAccepted).count == 4)
    for wrong in ["S2M", "nobody", "", "C0:DE:00:00:00"] {
      do throws(Rejection) {
        _ = try boards.accept(wrong, at: now)
        Issue.record("'\(wrong)' is accepted")
      } catch {
        #expect(error.reason == .invalid)
      }
    }
  }

  @Test func `those that are gone are forgotten, and they are never too many`() {
    var boards = NewBoards(.only([]))
    for number in 0..<200 {
      _ = boards.hear(heard(number), at: now.advanced(by: .seconds(number)))
    }
    #expect(boards.found.count == NewBoards.most)
    _ = boards.hear(heard(250), at: now.advanced(by: .seconds(2000)))
    #expect(boards.found.count == 1)
  }

  @Test func `a board introduces itself by a whole hello only`() {
    let hello = LineForm.framed(Array("h1|0123abcd|3fa9c210+|48|2|Küche|mUNO".utf8))
    var introduction = BoardIntroduction()
    #expect(introduction.receive(Array("boot\r\n".utf8)) == nil)
    #expect(introduction.receive(LineForm.framed(Array("v0=1".utf8))) == nil)
    #expect(introduction.receive(LineForm.framed(Array("h2|x".utf8))) == nil)
    #expect(introduction.receive(Array(hello.dropLast(9))) == nil)
    let card = introduction.receive(Array(hello.suffix(9)))
    #expect(card == .init(name: "Küche", identity: "3fa9c210", model: "UNO"))
    #expect(BoardIntroduction.question == Array("~Wcbe2\n".utf8))
  }

  @Test func `two boards of one name have two ids`() throws {
    let place = try #require(BoardPlace("C0:DE:00:00:00:01"))
    let card = BoardIntroduction.Card(name: "Küche", identity: "3fa9c210", model: nil)
    let bare = BoardIntroduction.Card(name: "Küche", identity: nil, model: nil)
    #expect(BoardIntroduction.id(for: card, at: place, taken: [])?.text == "kuche")
    #expect(BoardIntroduction.id(for: card, at: place, taken: ["kuche"])?.text == "kuche_3fa9c210")
    #expect(BoardIntroduction.id(for: bare, at: place, taken: ["kuche"])?.text == "kuche_c0_de_00_00_00_01")
    #expect(
      BoardIntroduction.id(for: card, at: place, taken: ["kuche", "kuche_3fa9c210"])?.text
        == "kuche_c0_de_00_00_00_01")
    let odd = BoardIntroduction.Card(name: "温度", identity: nil, model: nil)
    #expect(BoardIntroduction.id(for: odd, at: place, taken: [])?.text == "c0_de_00_00_00_01")
    let reserved = BoardIntroduction.Card(name: "Bridge", identity: nil, model: nil)
    #expect(BoardIntroduction.id(for: reserved, at: place, taken: [])?.text == "bridge_c0_de_00_00_00_01")
  }
}
