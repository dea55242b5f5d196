import DeviceModel

/// Goes through the properties of one device and collects what Home Assistant would not take.
struct DescriptionChecker {
  private(set) var problems: [DiscoveryProblem] = []
  // Taken by the device's events.
  private var keys: Set<String> = ["event"]

  /// Home Assistant's limit for a state, in characters.
  private static let maximumState = 255

  /// False when the property had a problem; it is among ``problems`` then.
  mutating func check(_ property: Property) -> Bool {
    guard let platform = ComponentRenderer.platform(of: property.kind) else { return true }
    var reasons: [DiscoveryProblem.Reason] = []
    check(property.kind, into: &reasons)
    if let icon = property.icon, !Self.isIcon(icon) { reasons.append(.icon(icon)) }
    if platform == .sensor || platform == .binarySensor, property.category == .config {
      reasons.append(.categoryConfig)
    }
    // A cover that nobody may move is still worth seeing.
    let isMoved = platform.takesCommands && platform != .cover || property.kind == .infraredEmitter
    if isMoved, !property.isSettable { reasons.append(.notSettable) }
    if reasons.isEmpty {
      let key = DiscoveryTopics.sanitized(property.key.text)
      if !keys.insert(key).inserted { reasons.append(.keyTaken(key)) }
    }
    problems += reasons.map { DiscoveryProblem(property.key, $0) }
    return reasons.isEmpty
  }

  mutating func check(eventTypes: [String]) -> Bool {
    guard !eventTypes.isEmpty else { return true }
    var reasons: [DiscoveryProblem.Reason] = []
    check(options: eventTypes, unknown: [], into: &reasons)
    problems += reasons.map { DiscoveryProblem(nil, $0) }
    return reasons.isEmpty
  }

  private func check(_ kind: PropertyKind, into reasons: inout [DiscoveryProblem.Reason]) {
    switch kind {
    case .sensor(let measurement):
      check(measurement, classes: DeviceClasses.ofSensors, into: &reasons)
      if let precision = measurement.precision, precision < 0 {
        reasons.append(.negativePrecision(precision))
      }
    case .number(let range, var measurement):
      // A number has no state class.
      measurement.stateClass = nil
      check(measurement, classes: DeviceClasses.ofNumbers, into: &reasons)
      check(range, into: &reasons)
    case .enumeration(let options): check(options: options, unknown: ["None"], into: &reasons)
    case .select(let options):
      let unknown = options.filter { $0.lowercased() == "none" }
      check(options: options, unknown: Set(unknown), into: &reasons)
    case .binarySensor(let name): check(name, among: DeviceClasses.ofBinarySensors, into: &reasons)
    case .switch(let name): check(name, among: DeviceClasses.ofSwitches, into: &reasons)
    case .button(let name): check(name, among: DeviceClasses.ofButtons, into: &reasons)
    case .cover(let name, _, _): check(name, among: DeviceClasses.ofCovers, into: &reasons)
    case .text(let length, let pattern):
      if !(1...Self.maximumState).contains(length) { reasons.append(.textLength(length)) }
      if pattern?.isEmpty == true { reasons.append(.emptyPattern) }
    case .event(let types, let name):
      check(options: types, unknown: [], into: &reasons)
      check(name, among: DeviceClasses.ofEvents, into: &reasons)
    case .deviceTracker(let sourceType):
      if !DeviceClasses.sourceTypes.contains(sourceType) {
        reasons.append(.sourceType(sourceType, allowed: DeviceClasses.sourceTypes))
      }
    case .timestamp, .lock, .infraredEmitter, .infraredReceiver, .structured, .command: break
    }
  }

  private func check(
    _ measurement: PropertyKind.Measurement, classes: [String: DeviceClasses.Rule],
    into reasons: inout [DiscoveryProblem.Reason]
  ) {
    if let unit = measurement.unit, unit.allSatisfy(\.isWhitespace) { return reasons.append(.blankUnit) }
    guard let name = measurement.deviceClass else { return }
    guard let rule = classes[name] else {
      return reasons.append(.unknownDeviceClass(name, allowed: classes.keys.sorted()))
    }
    if let units = rule.units, !units.contains(measurement.unit.map(MeasurementUnit.published)) {
      reasons.append(.unit(measurement.unit, deviceClass: name, allowed: units))
    }
    if let stateClass = measurement.stateClass, !rule.stateClasses.contains(stateClass) {
      let allowed = rule.stateClasses.map(\.rawValue).sorted()
      reasons.append(.stateClass(stateClass.rawValue, deviceClass: name, allowed: allowed))
    }
  }

  private func check(_ range: PropertyKind.NumberRange, into reasons: inout [DiscoveryProblem.Reason]) {
    if !(range.minimum.isFinite && range.maximum.isFinite && range.minimum <= range.maximum) {
      reasons.append(.range(minimum: range.minimum, maximum: range.maximum))
    }
    if !(range.step.isFinite && range.step >= 0.001) { reasons.append(.step(range.step)) }
  }

  private func check(
    options: [String], unknown: Set<String>, into reasons: inout [DiscoveryProblem.Reason]
  ) {
    if options.isEmpty { reasons.append(.noOptions) }
    var seen: Set<String> = []
    for option in options {
      if !seen.insert(option).inserted { reasons.append(.repeatedOption(option)) }
      let isTooLong = option.unicodeScalars.count > Self.maximumState
      if option.allSatisfy(\.isWhitespace) || isTooLong || unknown.contains(option) {
        reasons.append(.option(option))
      }
    }
  }

  private func check(
    _ name: String?, among classes: [String], into reasons: inout [DiscoveryProblem.Reason]
  ) {
    if let name, !classes.contains(name) {
      reasons.append(.unknownDeviceClass(name, allowed: classes))
    }
  }

  private static func isIcon(_ icon: String) -> Bool {
    let parts = icon.split(separator: ":", omittingEmptySubsequences: false)
    return parts.count == 2 && parts.allSatisfy { !$0.isEmpty && !$0.contains(where: \.isWhitespace) }
  }
}
