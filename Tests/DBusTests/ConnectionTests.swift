import DBus
import EventLoop
import Glibc
import Simulation
import TestSupport
import Testing

/// A real dbus-daemon for each test.
@Suite(.serialized, .timeLimit(.minutes(4)))
struct ConnectionTests {
  init() { #expect(LoopThread.started) }

  @Loop private func withService(_ body: @Loop (PeerService, PrivateBus) async throws -> Void) async throws {
    let bus = try await PrivateBus.start()
    let service = try await PeerService.open(bus.address)
    do {
      try await body(service, bus)
    } catch {
      service.close()
      await bus.stop()
      throw error
    }
    service.close()
    await bus.stop()
  }

  @Loop @Test func `every type of value comes back as it was sent`() async throws {
    let values: [DBusValue] = [
      .byte(255), .boolean(true), .boolean(false), .int16(-32768), .uint16(65535), .int32(.min),
      .uint32(.max),
      .int64(.min), .uint64(.max), .double(-0.5), .string(""), .string("Tür 🐕"),
      .objectPath(ObjectPath("/a/b_1")!), .signature("a{sv}"), .bytes([]), .bytes([0, 255, 10]),
      .strings([]), .strings(["x", ""]), .array(of: "q", [.uint16(1)]), .properties([:]),
      .properties(["RSSI": .int16(-60), "Inner": .properties(["x": .variant(.byte(1))])]),
      .dictionary(key: "q", value: "v", [.init(.uint16(0x4C), .variant(.bytes([2, 21])))]),
      .dictionary(key: "s", value: "a{sv}", [.init(.string("org.x"), .properties(["A": .boolean(true)]))]),
      .structure([.string("s"), .structure([.byte(1)])]), .variant(.variant(.uint32(7))),
      .array(of: "ay", [.bytes([1]), .bytes([])]),
    ]
    try await withService { service, _ in
      service.server.export(at: PeerService.path) { call in call.reply(call.arguments) }
      let answer = try await service.client.call(service.call("Echo", values))
      #expect(answer == values)
    }
  }

  @Loop
  @Test(arguments: [
    (DBusValue.string("a\0b"), DBusEncodingError.stringContainsNUL),
    (.array(of: "s", [.byte(1)]), .elementType(expected: "s", found: "y")),
    (.array(of: "nonsense", []), .invalidSignature("anonsense")),
    (.array(of: "su", []), .invalidSignature("asu")),
    (.dictionary(key: "as", value: "s", []), .invalidSignature("a{ass}")),
    (.signature("("), .invalidSignature("(")),
    (.structure([]), .invalidSignature("()")),
    (.variant(.structure([])), .invalidSignature("()")),
    (
      .variant(.structure(Array(repeating: .byte(0), count: 255))),
      .invalidSignature("(" + String(repeating: "y", count: 255) + ")")
    ),
    (.array(of: "(s)", [.structure([.string("\0")])]), .stringContainsNUL),
    (.signature("s\0"), .invalidSignature("s\0")),
    ((0..<65).reduce(.byte(0)) { inner, _ in .variant(inner) }, .nestedTooDeeply),
    (.descriptor(OwnedDescriptor(-1)), .closedDescriptor),
    (.properties(["x": .string("\0")]), .stringContainsNUL),
  ])
  func `what has no form on the wire is refused before libdbus sees it`(
    value: DBusValue, error: DBusEncodingError
  ) async throws {
    try await withService { service, _ in
      await #expect(throws: DBusError.unsendable(error)) {
        try await service.client.call(service.call("Echo", [value]))
      }
    }
  }

  @Loop @Test func `names that D-Bus does not allow are refused`() async throws {
    try await withService { service, _ in
      for call in [
        MethodCall(to: "no dots", PeerService.path, "a.b", "C"),
        MethodCall(to: "a.b", PeerService.path, "x", "C"),
        MethodCall(to: "a.b", PeerService.path, "a.b", "C.D"),
      ] {
        await #expect(throws: DBusError.self) { try await service.client.call(call) }
      }
    }
  }

  @Loop @Test func `an error of the other side comes with its name and words`() async throws {
    try await withService { service, _ in
      service.server.export(at: PeerService.path) { call in
        call.fail("org.bluez.Error.Failed", "le-connection-abort-by-local")
      }
      await #expect(
        throws: DBusError.remote(name: "org.bluez.Error.Failed", message: "le-connection-abort-by-local")
      ) { try await service.client.call(service.call("Connect")) }
    }
  }

  @Loop @Test func `a call that is never answered ends at its deadline`() async throws {
    try await withService { service, _ in
      var kept: [IncomingCall] = []
      service.server.export(at: PeerService.path) { kept.append($0) }
      await #expect(throws: DBusError.timedOut) {
        try await service.client.call(service.call("Wait"), deadline: .milliseconds(50))
      }
      #expect(kept.count == 1)
    }
  }

  @Loop @Test func `a cancelled task gives its call up`() async throws {
    try await withService { service, _ in
      let (arrivals, arrival) = AsyncStream<Void>.makeStream()
      service.server.export(at: PeerService.path) { _ in arrival.yield() }
      let task = Task { @Loop in try await service.client.call(service.call("Wait")) }
      for await _ in arrivals { break }
      task.cancel()
      await #expect(throws: DBusError.cancelled) { try await task.value }
    }
  }

  @Loop @Test func `calls to objects that nobody exports get UnknownObject`() async throws {
    try await withService { service, _ in
      let error = await #expect(throws: DBusError.self) {
        try await service.client.call(service.call("Anything"))
      }
      guard case .remote(let name, _)? = error else { return }
      #expect(name == "org.freedesktop.DBus.Error.UnknownObject")
    }
  }

  @Loop @Test func `signals arrive in order, filtered by path, member and first argument`() async throws {
    try await withService { service, _ in
      var heard: [String] = []
      let below = ObjectPath("/org/example/thing/child")!
      let beside = ObjectPath("/org/example/thingamabob")!
      let (ends, end) = AsyncStream<Void>.makeStream()
      let subscriptions = [
        service.client.subscribe(MatchRule(pathNamespace: PeerService.path, member: "S")) {
          heard.append("namespace \($0.path.lastElement) \($0.arguments[0].string ?? "")")
        },
        service.client.subscribe(MatchRule(sender: PeerService.name, member: "S", firstArgument: "2")) {
          heard.append("argument \($0.path.lastElement)")
        },
        service.client.subscribe(MatchRule(interface: "org.example.End")) { _ in end.yield() },
      ]
      _ = try await service.client.property(
        "Features", of: DBusConnection.busName, at: ObjectPath("/org/freedesktop/DBus")!,
        of: DBusConnection.busName)
      for (path, text) in [(PeerService.path, "1"), (below, "2"), (beside, "2"), (below, "3")] {
        try service.server.emit(path, PeerService.interface, "S", [.string(text)])
      }
      try service.server.emit(below, PeerService.interface, "Other", [.string("2")])
      try service.server.emit(.root, "org.example.End", "End")
      for await _ in ends { break }
      #expect(
        heard == [
          "namespace thing 1", "namespace child 2", "argument child", "argument thingamabob",
          "namespace child 3",
        ])
      heard = []
      for subscription in subscriptions.prefix(2) { subscription.cancel() }
      try service.server.emit(below, PeerService.interface, "S", [.string("2")])
      try service.server.emit(.root, "org.example.End", "End")
      for await _ in ends { break }
      #expect(heard == [])
    }
  }

  @Loop @Test func `a descriptor passes, works, and is closed once and with its last owner`() async throws {
    try await withService { service, _ in
      service.server.export(at: PeerService.path) { call in
        var pair: [Int32] = [-1, -1]
        #expect(socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0, &pair) == 0)
        _ = send(pair[0], "hello", 5, 0)
        call.reply([.descriptor(OwnedDescriptor(pair[1])), .uint16(23)])
        close(pair[0])
      }
      let answer = try await service.client.call(service.call("Acquire"))
      let owned = try #require(answer.first?.descriptor)
      #expect(fcntl(owned.descriptor, F_GETFD) & FD_CLOEXEC != 0)
      var buffer = [UInt8](repeating: 0, count: 16)
      #expect(read(owned.descriptor, &buffer, 16) == 5)
      #expect(read(owned.descriptor, &buffer, 16) == 0)
      let taken = owned.take()
      owned.close()
      #expect(fcntl(taken, F_GETFD) >= 0)
      #expect(owned.descriptor == -1)
      close(taken)
    }
  }

  @Loop @Test func `a property is read and set`() async throws {
    try await withService { service, _ in
      var stored = DBusValue.boolean(false)
      service.server.export(at: PeerService.path) { call in
        switch call.member {
        case "Get": call.reply([.variant(stored)])
        case "GetAll": call.reply([.properties(["Powered": stored])])
        default:
          if case .variant(let value)? = call.arguments.last { stored = value }
          call.reply()
        }
      }
      try await service.client.setProperty(
        "Powered", of: "org.x", at: PeerService.path, of: PeerService.name, to: .boolean(true))
      #expect(
        try await service.client.property("Powered", of: "org.x", at: PeerService.path, of: PeerService.name)
          == .boolean(true))
      #expect(
        try await service.client.properties(of: "org.x", at: PeerService.path, of: PeerService.name)
          == ["Powered": .boolean(true)])
    }
  }

  @Loop @Test func `the owner of a name is reported, its leaving too`() async throws {
    try await withService { service, bus in
      let (owners, owner) = AsyncStream<String?>.makeStream()
      let subscription = service.client.observeOwner(of: "org.example.Late") { owner.yield($0) }
      var iterator = owners.makeAsyncIterator()
      #expect(await iterator.next() == .some(nil))
      let late = try await DBusConnection.open(BusAddress(bus.address))
      #expect(try await late.requestName("org.example.Late"))
      #expect(try await service.server.requestName("org.example.Late") == false)
      #expect(await iterator.next() == .some(late.uniqueName))
      let (departures, departure) = AsyncStream<String>.makeStream()
      let leaving = service.client.observeDepartures { departure.yield($0) }
      _ = try await service.client.property(
        "Features", of: DBusConnection.busName, at: ObjectPath("/org/freedesktop/DBus")!,
        of: DBusConnection.busName)
      let name = late.uniqueName
      late.close()
      #expect(await iterator.next() == .some(nil))
      for await gone in departures {
        #expect(gone == name)
        break
      }
      subscription.cancel()
      leaving.cancel()
    }
  }

  @Loop @Test func `a bus that ends is an event, and fails what waits for it`() async throws {
    let bus = try await PrivateBus.start()
    let service = try await PeerService.open(bus.address)
    let (losses, loss) = AsyncStream<Void>.makeStream()
    service.client.onLost = { loss.yield() }
    let (arrivals, arrival) = AsyncStream<Void>.makeStream()
    service.server.export(at: PeerService.path) { _ in arrival.yield() }
    let task = Task { @Loop in try await service.client.call(service.call("Wait")) }
    for await _ in arrivals { break }
    await bus.stop()
    await #expect(throws: DBusError.disconnected) { try await task.value }
    for await _ in losses { break }
    #expect(!service.client.isOpen)
    await #expect(throws: DBusError.disconnected) { try await service.client.call(service.call("More")) }
    service.close()
  }

  @Loop @Test func `a thousand connections leave nothing open at the bus`() async throws {
    let bus = try await PrivateBus.start()
    let address = try BusAddress(bus.address)
    for _ in 0..<1000 {
      let connection = try await DBusConnection.open(address)
      connection.close()
    }
    let last = try await DBusConnection.open(address)
    let list = MethodCall(
      to: DBusConnection.busName, ObjectPath("/org/freedesktop/DBus")!, DBusConnection.busName, "ListNames")
    var names: [String] = []
    for _ in 0..<1000 where names != [DBusConnection.busName, last.uniqueName] {
      names = try await last.call(list).first?.strings ?? []
    }
    #expect(names == [DBusConnection.busName, last.uniqueName])
    last.close()
    await bus.stop()
  }
}
