import DeviceModel
import Simulation
import Testing

@testable import Adapters

struct `A newer garage door` {
  @Test func `answers of the exchange are those of the shared vectors`() throws {
    let vectors = try Vectors.load("../../Vectors/garage-authentication.json")
    for vector in vectors where vector["error"] == nil {
      let command = try #require(
        vector.text("command")?.utf8.first.flatMap(GarageAuthentication.Command.init))
      let nonce = try #require(vector.text("nonce"))
      let challenge = try #require(GarageAuthentication.challenge(nonce))
      let pin = try #require(vector.text("pin").flatMap { GaragePIN($0) })
      let key = try #require(vector.text("key").flatMap { GarageKey($0) })
      #expect(
        GarageAuthentication.message(command, challenge: challenge, pin: pin).hexadecimal
          == vector.text("message"))
      let word = try GarageAuthentication.word(command, challenge: challenge, pin: pin, key: key)
      #expect(word == (vector.text("command") ?? "") + (vector.text("tag") ?? ""))
      for wrong in vectors where wrong["error"] != nil && wrong.text("nonce") == vector.text("nonce") {
        if vector.text("key") == wrong.text("key"), vector.text("command") == "O" {
          #expect(word != wrong.text("command"))
        }
      }
    }
  }

  @Test(arguments: ["", "00", String(repeating: "0", count: 31), String(repeating: "g", count: 32)])
  func `what is no challenge is not answered`(text: String) {
    #expect(GarageAuthentication.challenge(text) == nil)
  }

  @Test func `OPEN answers the board's challenge, and no PIN is sent`() throws {
    var talk = try NewerTalk()
    let right = try talk.rightWord(.open, GarageTalk.anna)
    talk.garage.command("door", "OPEN")
    talk.run(3)
    #expect(talk.words == [right])
    #expect(talk.garage.happened("opened").count == 1)
    #expect(talk.garage.door == "opening")
    #expect(talk.garage["closing_interval"] == 40.0)
    #expect(talk.garage.sent.allSatisfy { !$0.contains(GarageTalk.anna) && !$0.contains("O=1") })
    talk.run(8)
    #expect(!talk.garage.talk.isUp, "the phones get in")
  }

  @Test func `each opening has an answer of its own`() throws {
    var talk = try NewerTalk()
    for _ in 0..<3 {
      talk.garage.command("door", "OPEN")
      talk.run(3)
      talk.sketch.set("door", "0")
      talk.run(70)
    }
    #expect(talk.words.count == 3 && Set(talk.words).count == 3)
  }

  @Test func `a door that the board says is open is not opened`() throws {
    var talk = try NewerTalk(door: "1")
    talk.garage.presence("leave")
    talk.garage.presence("enter")
    talk.run(3)
    #expect(talk.words.isEmpty)
    #expect(!talk.garage.isArmed())
    talk.garage.command("door", "OPEN")
    talk.run(3)
    #expect(talk.words.isEmpty)
    #expect(talk.garage.rejections.map(\.reason) == [.notNow])
  }

  @Test func `what the board refuses leaves the person out`() throws {
    var talk = try NewerTalk()
    talk.sketch.refusals["authorize"] = "i|not the answer to the challenge"
    talk.garage.presence("leave")
    talk.garage.presence("enter")
    talk.run(5)
    #expect(talk.garage.happened("refused").map { $0["reason"] } == ["link_error"])
    #expect(talk.garage.isArmed())
    #expect(talk.garage.happened("opened").isEmpty)
  }

  @Test func `without the board's answer the door may be open`() throws {
    var talk = try NewerTalk()
    talk.sketch.answersToLose = 100
    talk.garage.command("door", "OPEN")
    talk.run(12)
    #expect(talk.garage.happened("opened").isEmpty)
    #expect(talk.garage.rejections.count == 1)
    #expect(talk.garage.rejections[0].explanation.hasPrefix("the board may have moved the door"))
    talk.garage.disconnect()
    talk.garage.command("door", "OPEN")
    #expect(talk.garage.rejections.map(\.reason).last == .notNow)
    #expect(talk.words.count == 1, "what was said again was not obeyed again")
  }

  @Test func `an opening that has failed is not done later`() throws {
    var talk = try NewerTalk()
    talk.connect()
    talk.isDeaf = true
    for isOn in [true, false, true] { talk.garage.command("light", .boolean(isOn)) }
    talk.garage.command("door", "OPEN")
    talk.run(11)
    #expect(talk.garage.happened("refused").map { $0["reason"] } == ["link_error"])
    talk.isDeaf = false
    talk.run(10)
    #expect(talk.sketch.value("light") == "1")
    #expect(talk.words.isEmpty)
  }

  @Test func `whoever arrives while it is being closed is told, and opens it the next time`() throws {
    var talk = try NewerTalk(door: "1")
    talk.connect()
    talk.garage.presence("leave", person: "ben")
    talk.garage.command("door", "CLOSE")
    talk.garage.presence("enter", person: "ben")
    talk.run(2)
    #expect(talk.garage.happened("refused").map { $0["person"] } == ["Ben"])
    #expect(talk.garage.happened("refused").map { $0["reason"] } == ["busy"])
    #expect(talk.garage.isArmed("ben"))
    talk.sketch.set("door", "0")
    talk.run(1)
    talk.garage.presence("enter", person: "ben")
    talk.run(2)
    #expect(talk.words.count == 2)
  }

  @Test(arguments: ["9999999999", "601", "4", "-9999999999"])
  func `a closing interval that no board has is not believed`(seconds: String) throws {
    var talk = try NewerTalk()
    talk.connect()
    talk.sketch.set("closing_interval", seconds)
    talk.run(1)
    talk.garage.command("door", "OPEN")
    talk.run(1)
    talk.garage.disconnect()
    talk.garage.command("door", "OPEN")
    #expect(talk.garage.rejections.map(\.reason) == [.notNow], "it may be open")
    talk.garage.pass(120)
    talk.sketch.set("door", "0")
    talk.garage.command("door", "OPEN")
    talk.run(2)
    #expect(talk.words.count == 2, "and is closed again after its time")
  }

  @Test func `a board that tells no challenge gets nothing`() throws {
    var talk = try NewerTalk()
    talk.sketch.set("challenge", "?")
    talk.garage.command("door", "OPEN")
    talk.run(12)
    #expect(talk.words.isEmpty)
    #expect(talk.garage.rejections.map(\.reason) == [.linkError])
  }

  @Test func `CLOSE, the light and the closing interval reach the board`() throws {
    var talk = try NewerTalk(door: "1")
    talk.connect()
    let right = try talk.rightWord(.close, GarageTalk.anna)
    talk.garage.command("door", "CLOSE")
    talk.run(2)
    #expect(talk.words == [right])
    #expect(talk.garage.door == "closing")
    talk.garage.command("light", true)
    talk.garage.command("closing_interval", .number(12))
    talk.run(2)
    #expect(talk.sketch.value("light") == "1")
    #expect(talk.sketch.value("closing_interval") == "12")
    #expect(talk.garage["light"] == true)
    #expect(talk.garage["closing_interval"] == 12.0)
  }

  @Test func `a door that was left open is told`() throws {
    var talk = try NewerTalk()
    talk.connect()
    talk.sketch.fire("alert", "left_open")
    talk.run(0.1)
    #expect(talk.garage.happened("left_open").count == 1)
  }

  @Test func `PINs are managed in the lines, sealed`() throws {
    var talk = try NewerTalk()
    talk.connect()
    talk.garage.feed(.request(KindRequest(number: 1, "garage/pin/list", [:])))
    #expect(talk.garage.answers.last?.result == .success(["pins": [["index": 1, "name": "Anna"]]]))
    talk.garage.feed(.request(KindRequest(number: 2, "garage/pin/add", ["name": "Carl", "pin": "05513"])))
    talk.run(0.1)
    #expect(talk.garage.answers.last?.result == .success(["name": "Carl", "index": 2]))
    let word = try #require(talk.words.last)
    #expect(word.hasPrefix("P02") && word.count == 77)
    // Before the board has told its places anew.
    talk.garage.feed(.request(KindRequest(number: 3, "garage/pin/add", ["name": "Dora", "pin": "77777"])))
    talk.garage.feed(.request(KindRequest(number: 4, "garage/pin/delete", ["name": "Carl"])))
    talk.run(1)
    #expect(talk.words.suffix(2).map { $0.prefix(3) } == ["P03", "D02"])
    #expect(talk.garage.answers.map(\.result).last == .success(["name": "Carl"]))
    #expect(!talk.garage.sent.contains { $0.hasPrefix("~B") || $0.contains("05513") || $0.contains("90909") })
  }

  @Test func `what is wrong with a request about PINs is said, and nothing is sent`() throws {
    var talk = try NewerTalk()
    talk.connect()
    for (number, (name, parameters)) in [
      ("add", ["name": "Anna", "pin": "05513"]), ("add", ["name": "Carl", "pin": "48151"]),
      ("add", ["name": "Carl", "pin": "90909"]), ("delete", ["name": "Carl"]),
    ].enumerated() {
      let members = Value.Members(parameters.map { ($0.key, .text($0.value)) })
      talk.garage.feed(.request(KindRequest(number: UInt64(number), "garage/pin/\(name)", members)))
    }
    talk.run(1)
    #expect(talk.garage.answers.count == 4 && talk.words.isEmpty)
    #expect(
      talk.garage.answers.allSatisfy {
        if case .failure(let why) = $0.result { why.reason == .invalid } else { false }
      })
  }

  @Test func `a change that the board refuses, or does not answer, is told as that`() throws {
    var talk = try NewerTalk()
    talk.connect()
    talk.sketch.refusals["authorize"] = "l|too many wrong answers"
    talk.garage.feed(.request(KindRequest(number: 1, "garage/pin/add", ["name": "Carl", "pin": "05513"])))
    talk.run(1)
    #expect(talk.garage.answers.last?.result.failure?.reason == .lockedOut)
    talk.sketch.refusals = [:]
    talk.sketch.answersToLose = 100
    talk.renew()
    talk.run(0.2)
    talk.garage.feed(.request(KindRequest(number: 2, "garage/pin/add", ["name": "Carl", "pin": "05513"])))
    talk.run(15)
    let failure = talk.garage.answers.last?.result.failure
    #expect(failure?.explanation.contains("whether the change was made is not known") == true)
  }

  @Test func `a board that tells no places gets no PIN`() throws {
    var talk = try NewerTalk()
    talk.sketch.set("pins", "?")
    talk.connect()
    talk.garage.feed(.request(KindRequest(number: 1, "garage/pin/add", ["name": "Carl", "pin": "05513"])))
    talk.run(1)
    #expect(talk.garage.answers.last?.result.failure?.reason == .unsupported)
    #expect(talk.words.isEmpty)
  }

  @Test func `a challenge that was answered is not answered again`() throws {
    var talk = try NewerTalk()
    talk.connect()
    let old = talk.challenge
    talk.garage.command("door", "OPEN")
    talk.run(1)
    talk.sketch.set("door", "0")
    talk.sketch.set("challenge", "\"" + old)
    talk.run(70)
    talk.garage.command("door", "OPEN")
    talk.run(12)
    #expect(talk.words.count == 1)
    #expect(talk.garage.rejections.map(\.reason) == [.linkError])
  }

  @Test(arguments: ["", "---", "-----", "abcg", "ABCD", String(repeating: "-", count: 1020)])
  func `what is no list of places is none`(text: String) {
    #expect(PINPlaces(text) == nil)
  }

  @Test func `words and marks of PINs are those of the shared vectors`() throws {
    for vector in try Vectors.load("../../Vectors/garage-pins.json") {
      let key = try #require(vector.text("key").flatMap { GarageKey($0) })
      let place = try #require(vector.text("place").flatMap { UInt8($0) })
      let pin = vector.text("pin").flatMap { GaragePIN($0) }
      if let mark = vector.text("mark") {
        #expect(try GarageAuthentication.mark(of: try #require(pin), at: place, key: key) == mark)
      } else {
        let challenge = try #require(vector.text("nonce").flatMap { GarageAuthentication.challenge($0) })
        let master = try #require(vector.text("master").flatMap { GaragePIN($0) })
        let word = try GarageAuthentication.word(
          putting: pin, at: place, challenge: challenge, master: master, key: key)
        #expect((word == vector.text("word")) == (vector["error"] == nil))
      }
    }
  }

  @Test(arguments: ["", "12", String(repeating: "0", count: 63) + "g", String(repeating: "0", count: 65)])
  func `a key is 64 hexadecimal digits`(text: String) {
    var problems: [ConfigurationProblem] = []
    let options = GarageSettings.schema.check(
      LocatedValue(["key": .text(text)]), path: "options", problems: &problems)
    _ = GarageSettings(options, &problems)
    #expect(problems.count == 1)
  }
}

extension Result where Success == Value, Failure == Rejection {
  fileprivate var failure: Rejection? { if case .failure(let rejection) = self { rejection } else { nil } }
}
