import DeviceModel
import EventLoop
import Glibc
import Links
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(4)))
struct SerialLinkTests {
  init() { #expect(LoopThread.started) }

  private static let speed = SerialSpeed(baud: 9600)

  @Loop private func link(
    _ path: String, resets: Bool = false, bootTime: Duration = .zero
  ) throws -> (SerialLink, Recorder) {
    let recorder = Recorder()
    let speed = try #require(Self.speed)
    let link = SerialLink(
      path: path, speed: speed, resets: resets, bootTime: bootTime, handler: recorder.handler)
    return (link, recorder)
  }

  @Loop @Test func `every byte goes both ways as it is`() async throws {
    let port = try PseudoTerminal()
    let (link, recorder) = try link(port.path)
    recorder.call { link.connect() }
    try await recorder.event("up")
    let bytes = (0...255).map { UInt8($0) }
    recorder.call { link.send(Output.Send(bytes, number: 1)) }
    #expect(try await port.read(256) == bytes)
    port.write(bytes)
    try await recorder.received(bytes: 256)
    #expect(recorder.allBytes == bytes)
    #expect(recorder.outcomes == [1: 1])
    link.disconnect()
  }

  @Loop @Test(arguments: [false, true])
  func `the port runs as it should`(resets: Bool) async throws {
    let port = try PseudoTerminal()
    let (link, recorder) = try link(port.path, resets: resets)
    link.connect()
    try await recorder.event("up")
    let settings = port.settings
    #expect(withUnsafePointer(to: settings) { cfgetospeed($0) } == speed_t(B9600))
    #expect(settings.c_cflag & tcflag_t(CSIZE) == tcflag_t(CS8))
    #expect(settings.c_cflag & tcflag_t(PARENB | CSTOPB) == 0)
    #expect(settings.c_lflag & tcflag_t(ECHO | ICANON | ISIG) == 0)
    #expect((settings.c_cflag & tcflag_t(HUPCL) != 0) == resets)
    link.disconnect()
  }

  @Loop @Test func `unplugging ends the link, and it is found again by its name`() async throws {
    let directory = try TemporaryDirectory()
    let name = directory("usb-Arduino_Uno-if00")
    let first = try PseudoTerminal()
    symlink(first.path, name)
    let (link, recorder) = try link(name)
    link.connect()
    try await recorder.event("up")
    first.unplug()
    #expect(try await recorder.down() == .broken("the device was unplugged"))
    unlink(name)

    var before = recorder.events.count
    recorder.call { link.connect() }
    #expect(try await recorder.down(from: before) == .unavailable("\(name) is not plugged in"))

    let second = try PseudoTerminal()
    symlink(second.path, name)
    before = recorder.events.count
    recorder.call { link.connect() }
    try await recorder.event("up", from: before)
    second.write(Array("hello".utf8))
    try await recorder.received("hello")
    link.disconnect()
  }

  @Loop @Test func `a send to a port that is gone is told as not sent`() async throws {
    let port = try PseudoTerminal()
    let (link, recorder) = try link(port.path)
    link.connect()
    try await recorder.event("up")
    port.unplug()
    recorder.call { link.send(Output.Send("x", number: 1)) }
    #expect(try await recorder.down() == .broken("the device was unplugged"))
    #expect(recorder.outcomes == [1: 1])
  }

  @Loop @Test func `a board that starts anew is waited for, and what it says meanwhile is heard`()
    async throws
  {
    let port = try PseudoTerminal()
    let (link, recorder) = try link(port.path, bootTime: .seconds(2))
    recorder.call { link.connect() }
    port.write(Array("boot".utf8))
    recorder.call { link.send(Output.Send("early", number: 1)) }
    try await recorder.received("boot")
    #expect(recorder.words.contains("notSent 1: not connected"))
    #expect(recorder.words.filter { !$0.hasPrefix("notSent") } == ["up", "received boot"])
    link.disconnect()
  }

  @Loop @Test(arguments: ["/dev/null", "/proc/version", "/"])
  func `what is no serial port is refused in words`(path: String) async throws {
    let (link, recorder) = try link(path)
    recorder.call { link.connect() }
    guard case .unavailable(let why)? = try await recorder.down() else {
      Issue.record("\(recorder.words)")
      return
    }
    #expect(why.contains(path))
  }

  @Loop @Test func `no other program takes the port meanwhile, and any may afterwards`() async throws {
    let port = try PseudoTerminal()
    let (link, recorder) = try link(port.path)
    link.connect()
    try await recorder.event("up")
    #expect(port.isExclusive)
    link.disconnect()
    #expect(!port.isExclusive)
  }

  @Loop @Test func `a hundred connections leave no descriptor open`() async throws {
    let port = try PseudoTerminal()
    let (link, recorder) = try link(port.path)
    for round in 0..<100 {
      let before = recorder.events.count
      recorder.call { link.connect() }
      if round.isMultiple(of: 3) {
        await turns(round % 5)
      } else {
        try await recorder.event("up", from: before)
      }
      recorder.call { link.disconnect() }
    }
    // They are closed on another thread, which tells nobody.
    #expect(await eventually { descriptors(of: port.path).isEmpty })
    let before = recorder.events.count
    link.connect()
    try await recorder.event("up", from: before)
    #expect(descriptors(of: port.path).count == 1, "the count counts")
    link.disconnect()
  }

  @Test(arguments: SerialSpeed.all)
  func `every speed is its own`(baud: Int) {
    #expect(SerialSpeed(baud: baud)?.baud == baud)
  }

  @Test(arguments: [-1, 0, 1, 9601, 115_201, .max])
  func `other speeds are none`(baud: Int) {
    #expect(SerialSpeed(baud: baud) == nil)
  }
}
