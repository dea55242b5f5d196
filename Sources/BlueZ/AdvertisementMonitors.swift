import DBus
import DeviceModel
import EventLoop

/// Patterns that bluetoothd looks for in all advertisements, without a scan of ours and while boards are connected,
/// where it offers to: as far as 5.79 only when it is started with `--experimental`.
///
/// It tells of each advertisement that matches. The strength it tells only when that has moved by 8 dB.
@Loop final class AdvertisementMonitors {
  private let peer: BlueZPeer
  private let adapter: ObjectPath
  private let onChange: @Loop () -> Void
  private let onFound: @Loop (ObjectPath) -> Void
  private var patterns: Set<AdvertisementPattern> = []
  private var application: Application?
  private var createdApplications = 0

  /// As many as the kernel has room for. One pattern each: of ten in one bluetoothd 5.66 dies.
  static let most = 32
  /// Tags of one household differ behind these; so they share a monitor.
  static let longest = 16

  /// Objects of ours, which bluetoothd fetches.
  private struct Application {
    var path: ObjectPath
    var monitors: [ObjectPath: [String: DBusValue]]
    var active: Set<ObjectPath> = []
  }

  /// - Parameters:
  ///   - onChange: ``areComplete`` may be another.
  ///   - onFound: A device with an advertisement that is watched for.
  init(
    _ adapter: ObjectPath, of peer: BlueZPeer, onChange: @escaping @Loop () -> Void,
    onFound: @escaping @Loop (ObjectPath) -> Void
  ) {
    self.adapter = adapter
    self.peer = peer
    self.onChange = onChange
    self.onFound = onFound
  }

  /// Whether bluetoothd looks for all that is watched for; it may refuse, and take back what it granted.
  var areComplete: Bool { application.map { $0.active.count == $0.monitors.count } ?? false }

  /// Watches for these, instead of those before. More than there is room for are not watched for at all.
  func watch(_ patterns: Set<AdvertisementPattern>) {
    let patterns = Set(
      patterns.map { AdvertisementPattern($0.part, from: $0.start, Array($0.bytes.prefix(Self.longest))) })
    guard patterns != self.patterns else { return }
    end()
    self.patterns = patterns
    if !patterns.isEmpty, patterns.count <= Self.most { register() }
  }

  func end() {
    patterns = []
    guard let application else { return }
    self.application = nil
    peer.connection.export(at: application.path, handler: nil)
    peer.call(adapter, Interface.monitorManager, "UnregisterMonitor", [.objectPath(application.path)])
  }

  private func register() {
    createdApplications += 1
    guard let path = ObjectPath("/org/sketch2mqtt/monitors/\(adapter.lastElement)_\(createdApplications)")
    else {
      return
    }
    var new = Application(path: path, monitors: [:])
    for (number, pattern) in patterns.enumerated() {
      if let monitor = path.appending("pattern\(number)") { new.monitors[monitor] = Self.properties(pattern) }
    }
    application = new
    peer.connection.export(at: path) { [weak self] in self?.answer($0) }
    peer.call(adapter, Interface.monitorManager, "RegisterMonitor", [.objectPath(path)]) {
      [weak self] result in
      guard case .failure = result, let self, self.application?.path == path else { return }
      self.peer.connection.export(at: path, handler: nil)
      self.application = nil
      self.onChange()
    }
  }

  private static func properties(_ pattern: AdvertisementPattern) -> [String: DBusValue] {
    let type: UInt8 = pattern.part == .serviceData ? 0x16 : 0xFF
    // Before the data is the number of the company, or of the service.
    let pattern = DBusValue.structure([
      .byte(UInt8(clamping: pattern.start + 2)), .byte(type), .bytes(pattern.bytes),
    ])
    return ["Type": .string("or_patterns"), "Patterns": .array(of: "(yyay)", [pattern])]
  }

  private func answer(_ call: IncomingCall) {
    guard call.sender == peer.owner, let application else {
      return call.fail("org.freedesktop.DBus.Error.AccessDenied", "this is for bluetoothd alone")
    }
    switch (call.interface, call.member) {
    case (Interface.objectManager, "GetManagedObjects") where call.path == application.path:
      let objects = application.monitors.map { path, properties in
        DBusValue.Entry(
          .objectPath(path),
          .dictionary(
            key: "s", value: "a{sv}", [.init(.string(Interface.monitor), .properties(properties))]))
      }
      call.reply([.dictionary(key: "o", value: "a{sa{sv}}", objects)])
    case (Interface.properties, "GetAll"): call.reply([.properties(application.monitors[call.path] ?? [:])])
    case (Interface.monitor, "Activate"): isActive(call.path, true)
    case (Interface.monitor, "Release"): isActive(call.path, false)
    case (Interface.monitor, "DeviceFound"):
      if let device = call.arguments.first?.objectPath { onFound(device) }
    // Without bounds of strength none is told lost.
    case (Interface.monitor, "DeviceLost"): break
    default: call.fail("org.freedesktop.DBus.Error.UnknownMethod", "no such method")
    }
  }

  private func isActive(_ monitor: ObjectPath, _ isActive: Bool) {
    guard application?.monitors[monitor] != nil else { return }
    if isActive { application?.active.insert(monitor) } else { application?.active.remove(monitor) }
    onChange()
  }
}
