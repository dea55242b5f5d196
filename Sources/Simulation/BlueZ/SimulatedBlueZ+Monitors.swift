import DBus
import EventLoop

/// `org.bluez.AdvertisementMonitorManager1`, which bluetoothd 5.66 has when it is started with `--experimental`.
extension SimulatedBlueZ {
  /// A client's tree of monitors.
  struct MonitorApplication {
    var client: String
    var path: ObjectPath
    /// Those that were granted, with their patterns.
    var monitors: [ObjectPath: [MonitorPattern]] = [:]
  }

  struct MonitorPattern: Hashable {
    var start: Int
    var type: UInt8
    var bytes: [UInt8]

    func isFound(in parts: [SimulatedBoard.Part]) -> Bool {
      parts.contains { part in
        part.type == type && part.bytes.count >= start && part.bytes.dropFirst(start).starts(with: bytes)
      }
    }
  }

  /// Of all clients.
  static let mostMonitors = 32
  private static let longestPattern = 31

  var isMonitoring: Bool { isPowered && monitorApplications.contains { !$0.monitors.isEmpty } }

  /// Monitors that are granted.
  public var activeMonitors: Int { monitorApplications.reduce(0) { $0 + $1.monitors.count } }

  func answerMonitorManager(_ call: IncomingCall) {
    guard let path = call.arguments.first?.objectPath else {
      return call.fail(BlueZFault("org.bluez.Error.InvalidArguments", "Invalid arguments in method call"))
    }
    let index = monitorApplications.firstIndex { $0.client == call.sender && $0.path == path }
    switch call.member {
    case "RegisterMonitor":
      guard index == nil else {
        return call.fail(BlueZFault("org.bluez.Error.AlreadyExists", "Already Exists"))
      }
      monitorApplications.append(MonitorApplication(client: call.sender, path: path))
      call.reply()
      fetchMonitors(of: call.sender, at: path)
    case "UnregisterMonitor":
      guard let index else { return call.fail(.doesNotExist) }
      monitorApplications.remove(at: index)
      call.reply()
      scanIfNeeded()
    default: call.fail(.unknownMethod)
    }
  }

  private func fetchMonitors(of client: String, at path: ObjectPath) {
    let fetch = MethodCall(to: client, path, "org.freedesktop.DBus.ObjectManager", "GetManagedObjects")
    connection?.send(fetch) { [weak self] result in
      guard case .success(let values) = result else { return }
      for entry in values.first?.entries ?? [] {
        guard let monitor = entry.key.objectPath,
          let properties = entry.value.entries?.first(where: {
            $0.key.string == "org.bluez.AdvertisementMonitor1"
          })?.value.properties
        else { continue }
        self?.exposed(monitor, properties, by: client, at: path)
      }
      self?.scanIfNeeded()
      self?.waits.lookAtTurnEnd()
    }
  }

  private func exposed(
    _ monitor: ObjectPath, _ properties: [String: DBusValue], by client: String, at path: ObjectPath
  ) {
    let patterns = (properties["Patterns"]?.elements ?? []).compactMap { MonitorPattern($0) }
    // As the real one was measured to: it writes beyond what it has allocated.
    if patterns.count >= 10 { return kill() }
    guard let index = monitorApplications.firstIndex(where: { $0.client == client && $0.path == path }) else {
      return
    }
    let isGranted =
      properties["Type"] == .string("or_patterns") && !patterns.isEmpty && patterns.count < 8
      && patterns.allSatisfy { $0.bytes.count <= Self.longestPattern } && activeMonitors < Self.mostMonitors
    if isGranted { monitorApplications[index].monitors[monitor] = patterns }
    tell(client, monitor, isGranted ? "Activate" : "Release")
  }

  /// Tells every client one of whose monitors finds the board's advertisement.
  func tellMonitors(of board: SimulatedBoard) {
    let parts = board.parts()
    for application in monitorApplications {
      for (monitor, patterns) in application.monitors
      where patterns.contains(where: { $0.isFound(in: parts) }) {
        tell(application.client, monitor, "DeviceFound", [.objectPath(board.path)])
      }
    }
  }

  func isMonitored(_ board: SimulatedBoard) -> Bool {
    let parts = board.parts()
    return monitorApplications.contains { application in
      application.monitors.values.contains { $0.contains { $0.isFound(in: parts) } }
    }
  }

  private func tell(_ client: String, _ monitor: ObjectPath, _ member: String, _ arguments: [DBusValue] = [])
  {
    do throws(DBusEncodingError) {
      try connection?.sendWithoutReply(
        MethodCall(to: client, monitor, "org.bluez.AdvertisementMonitor1", member, arguments))
    } catch {
      assertionFailure("\(error)")
    }
  }
}

extension SimulatedBlueZ.MonitorPattern {
  init?(_ value: DBusValue) {
    guard case .structure(let fields) = value, fields.count == 3, case .byte(let start) = fields[0],
      case .byte(let type) = fields[1], let bytes = fields[2].bytes
    else { return nil }
    self.init(start: Int(start), type: type, bytes: bytes)
  }
}
