import DeviceModel

extension ConfigurationCheck {
  /// The links of one device, the primary one first.
  mutating func links(_ options: Options, kind: Kind?) -> [Configuration.Link] {
    let written = writtenLinks(options, kind: kind)
    return written + standardLinks(beside: written, options, kind: kind)
  }

  /// The links that need not be written, where they usually are.
  private func standardLinks(
    beside written: [Configuration.Link], _ options: Options, kind: Kind?
  ) -> [Configuration.Link] {
    guard let kind, let primary = kind.links.first, let address = primary.standard else { return [] }
    let host =
      if case .udp(let address)? = written.first(where: { $0.role == primary.role })?.target {
        address.host
      } else {
        address.host
      }
    return kind.links.compactMap { requirement in
      guard let standard = requirement.standard, !written.contains(where: { $0.role == requirement.role }),
        let place = HostPort(host: host, port: standard.port)
      else { return nil }
      return Configuration.Link(
        role: requirement.role, target: .udp(place),
        session: requirement.session, connectTimeout: .seconds(10), location: options.location)
    }
  }

  private mutating func writtenLinks(_ options: Options, kind: Kind?) -> [Configuration.Link] {
    if let named = options.map("links") { return links(named, options, kind: kind) }
    guard options.isWritten("link") else {
      let isRefused = options.isRefused("link") || options.isRefused("links")
      if let kind, let primary = kind.links.first, primary.standard == nil, !isRefused {
        problems.append(
          ConfigurationProblem(
            "missing", at: options.location, path: options.path(of: "link"),
            expectation: Self.expectation(primary, kind)))
      }
      return []
    }
    guard let link = options.object("link") else { return [] }
    if let kind, kind.links.isEmpty {
      problems.append(options.problem("the kind '\(kind.name)' has no link", at: "link"))
      return []
    }
    let requirement = kind?.links.first
    return [self.link(link, role: requirement?.role ?? .board, requirement, kind)].compactMap(\.self)
  }

  private mutating func links(
    _ named: [OptionValue.NamedValue], _ options: Options, kind: Kind?
  ) -> [Configuration.Link] {
    var links: [Configuration.Link] = []
    for named in named {
      guard case .object(let linkOptions) = named.value else { continue }
      let role = LinkRole(named.name)
      let requirement = kind?.links.first { $0.role == role }
      if let kind, requirement == nil {
        let roles = kind.links.map(\.role.text)
        problems.append(
          ConfigurationProblem(
            "the kind '\(kind.name)' has no link '\(named.name)'", at: linkOptions.location,
            path: linkOptions.path,
            expectation: roles.isEmpty ? "none" : "one of \(roles.joined(separator: ", "))",
            suggestion: nearestName(to: named.name, among: roles)))
        continue
      }
      if let link = link(linkOptions, role: role, requirement, kind) { links.append(link) }
    }
    guard let kind, let primary = kind.links.first else { return links }
    let isMissing = !named.isEmpty && !named.contains { $0.name == primary.role.text }
    if primary.standard == nil, isMissing {
      problems.append(
        ConfigurationProblem(
          "missing", at: options.location(of: "links"), path: "\(options.path(of: "links")).\(primary.role)",
          expectation: Self.expectation(primary, kind)))
    }
    let order = kind.links.map(\.role)
    return links.sorted { (order.firstIndex(of: $0.role) ?? 0) < (order.firstIndex(of: $1.role) ?? 0) }
  }

  private static func expectation(_ requirement: LinkRequirement, _ kind: Kind) -> String {
    "a link of the kind '\(kind.name)': \(keys(of: requirement).joined(separator: ", "))"
  }

  private static func keys(of requirement: LinkRequirement) -> [String] {
    requirement.transports.flatMap { $0 == .ble ? ["ble", "ble_name"] : [$0.rawValue] }
  }

  private mutating func link(
    _ options: Options, role: LinkRole, _ requirement: LinkRequirement?, _ kind: Kind?
  ) -> Configuration.Link? {
    guard let key = Configuration.linkTargets.first(where: { options.isWritten($0) }) else { return nil }
    if let requirement, let kind, !Self.keys(of: requirement).contains(key) {
      problems.append(
        options.problem(
          "the kind '\(kind.name)' is not reached by '\(key)'", at: key,
          expectation: "one of \(Self.keys(of: requirement).joined(separator: ", "))"
            + (requirement.condition.map { "; \($0)" } ?? "")))
    }
    for name in ["baud", "resets", "boot"] where options.isWritten(name) && key != "serial" {
      problems.append(
        options.problem("'\(name)' beside '\(key)'", at: name, expectation: "it beside 'serial'"))
    }
    if options.isWritten("service"), key != "ble", key != "ble_name" {
      problems.append(
        options.problem(
          "'service' beside '\(key)'", at: "service", expectation: "it beside 'ble' or 'ble_name'"))
    }
    if requirement?.carries == .attributes, options.isWritten("service") {
      problems.append(
        options.problem(
          "the kind '\(kind?.name ?? "")' reaches all services of a board", at: "service",
          expectation: "the services below 'options'"))
    }
    guard let target = target(options, key, carries: requirement?.carries ?? .bytes) else { return nil }
    let isWired = key == "tcp" || key == "serial"
    let usual = (isWired ? requirement?.wiredSession : nil) ?? requirement?.session ?? .held
    return Configuration.Link(
      role: role, target: target, session: session(options, fallback: usual),
      connectTimeout: options.duration("connect_timeout") ?? .seconds(10), location: options.location)
  }

  private func target(
    _ options: Options, _ key: String, carries: LinkRequirement.Cargo
  ) -> Configuration.Link.Target? {
    switch key {
    case "tcp": return options.hostPort(key).map { .tcp($0) }
    case "udp": return options.hostPort(key).map { .udp($0) }
    case "serial":
      return options.text(key).map { .serial(serialPort($0, options)) }
    case "ble":
      return options.bluetoothAddress(key).flatMap { ble(.address($0), options, carries) }
    case "ble_name": return options.text(key).flatMap { ble(.name($0), options, carries) }
    case "capture": return .capture(options.texts(key))
    default: return nil
    }
  }

  /// A boot loader listens for a second or two.
  private func serialPort(_ path: String, _ options: Options) -> Configuration.Link.SerialPort {
    let resets = options.boolean("resets") ?? false
    return Configuration.Link.SerialPort(
      path: path, baud: options.integer("baud") ?? 115_200, resets: resets,
      bootTime: options.duration("boot") ?? (resets ? .seconds(2) : .zero))
  }

  private func ble(
    _ board: Configuration.Link.BluetoothTarget, _ options: Options, _ carries: LinkRequirement.Cargo
  ) -> Configuration.Link.Target? {
    switch carries {
    case .attributes: .ble(board, nil)
    case .bytes: uart(options).map { .ble(board, $0) }
    }
  }

  private func uart(_ options: Options) -> UARTService? {
    switch options["service"] {
    case .text("hm10")?: return .hm10
    case .text?: return .nus
    case .object(let own)?:
      guard let service = own.text("service").flatMap(BluetoothUUID.init),
        let write = own.text("write").flatMap(BluetoothUUID.init),
        let notify = own.text("notify").flatMap(BluetoothUUID.init)
      else { return nil }
      return UARTService(service: service, write: write, notify: notify)
    default: return nil
    }
  }

  /// A written `poll` means a polled session.
  private mutating func session(_ options: Options, fallback: Session) -> Session {
    var every = options.duration("poll") ?? .seconds(10)
    if options.duration("poll") == nil, case .polled(let usual) = fallback { every = usual }
    let word = options.text("session")
    if let word, word != "polled", options.isWritten("poll") {
      problems.append(
        options.problem(
          "'poll' beside 'session: \(word)'", at: "poll", expectation: "it with 'session: polled'"))
    }
    switch word {
    case "held"?: return .held
    case "on_demand"?: return .onDemand
    case "polled"?: return .polled(every: every)
    default: return options.isWritten("poll") ? .polled(every: every) : fallback
    }
  }
}
