import DeviceModel

/// Requests that manage the board's PINs: one at a time, and none for a while after several wrong ones.
struct PINManagement: Sendable {
  /// The first is under way.
  private(set) var tasks: [PINTask] = []
  var lockOut = LockOut()
  /// PINs that were added or changed by name.
  private(set) var names: [String: NamedPIN] = [:]
  /// Names that were forgotten because another PIN stands where theirs stood.
  private var displaced: Set<String> = []

  static let mostWaiting = 4
  static let requests = ["garage/pin/add", "garage/pin/change", "garage/pin/delete", "garage/pin/list"]

  var isIdle: Bool { tasks.isEmpty }

  var current: PINTask? {
    get { tasks.first }
    set {
      if let newValue {
        if tasks.isEmpty { tasks.append(newValue) } else { tasks[0] = newValue }
      } else if !tasks.isEmpty {
        tasks.removeFirst()
      }
    }
  }

  /// - Parameter keyMark: Of the configuration: by another one all marks are others, and are taken anew.
  mutating func recall(_ memory: GarageMemory, keyMark: String?) {
    lockOut = LockOut(wrongInARow: memory.wrongInARow, until: memory.lockedUntil)
    names =
      memory.keyMark == keyMark
      ? memory.names : memory.names.mapValues { NamedPIN(place: $0.place, mark: nil) }
  }

  mutating func append(_ task: PINTask) throws(Rejection) {
    guard tasks.count < Self.mostWaiting else {
      throw Rejection(.busy, "\(tasks.count) requests about PINs wait already")
    }
    tasks.append(task)
  }

  /// The link is gone: what was asked for is not done later.
  mutating func linkDown(_ reason: String, into outputs: inout [Output]) {
    for task in tasks {
      let doubt = task.phase == .reading ? "" : "; whether the change was made is not known"
      let rejection = Rejection(.linkError, "the link to the board ended: \(reason)\(doubt)")
      outputs.append(.answer(task.number, .failure(rejection)))
    }
    tasks.removeAll()
  }

  /// Forgets names whose places are free now, or hold another PIN.
  ///
  /// - Parameter mark: Of the PIN in a place; nil for a free one.
  mutating func look(at mark: (Int) -> String?) {
    for (name, known) in names {
      var named = known
      guard let found = mark(named.place) else {
        names[name] = nil
        continue
      }
      let isStill = named.isStill(found)
      names[name] = isStill ? named : nil
      if !isStill { displaced.insert(name) }
    }
    while displaced.count > PINTable.most { displaced.removeFirst() }
  }

  mutating func name(_ name: String, as named: NamedPIN?) {
    names[name] = named
    displaced.remove(name)
  }

  /// Where the PIN stands that was put under this name; nil without one. Throws when somebody else has put another one
  /// there since, unless a new one is to get the name.
  func place(of name: String, isForNew: Bool) throws(Rejection) -> Int? {
    guard isForNew || !displaced.contains(name) else {
      throw Rejection(
        .notNow, "somebody has changed the board's PINs: another one stands where that of this name stood")
    }
    return names[name]?.place
  }

  /// Where the PIN of the task's name stands, in the table that was looked at.
  func index(of task: PINTask, _ persons: [Resident], in table: PINTable) throws(Rejection) -> Int? {
    if let person = persons.first(where: { $0.settings.name == task.name }),
      let index = table.index(of: person.pin)
    {
      return index
    }
    return try place(of: task.name, isForNew: task.isForNew)
  }

  /// Indices and names, for people to read; never a PIN.
  func list(_ table: PINTable, _ persons: [Resident]) -> Value {
    let entries = table.pins.sorted { $0.key < $1.key }.map { index, pin -> Value in
      let name =
        persons.first { $0.pin == pin }?.settings.name ?? names.first { $0.value.place == index }?.key
      return Self.entry(index, name)
    }
    return ["pins": .list(entries)]
  }

  static func entry(_ index: Int, _ name: String?) -> Value {
    ["index": .integer(index), "name": name.map { .text($0) } ?? .unknown]
  }
}

/// A request as it was asked, before the board is looked at.
extension PINTask {
  /// Nothing of what was asked is quoted in the rejection: it may hold a PIN in a wrong place.
  init(_ request: KindRequest, persons: [Resident]) throws(Rejection) {
    let known = ["device", "transaction", "name", "pin"]
    guard request.parameters.names.allSatisfy({ known.contains($0) }) else {
      throw Rejection(.invalid, "\(request.name) takes device, name and pin")
    }
    guard request.name != "garage/pin/list" else {
      self.init(request.number, .list, name: "")
      return
    }
    guard case .text(let text)? = request.parameters["name"],
      case let name = text.trimmingSpaces(),
      (1...GarageSettings.longestName).contains(name.unicodeScalars.count),
      name.unicodeScalars.allSatisfy({ !$0.isFormatting })
    else {
      throw Rejection(
        .invalid, "name is missing, or is none of 1 to \(GarageSettings.longestName) characters")
    }
    let configured = persons.first { $0.settings.name == name }?.settings.pin
    switch request.name {
    case "garage/pin/add":
      self.init(request.number, .add(try Self.pin(request.parameters["pin"], orElse: configured)), name: name)
    case "garage/pin/change":
      self.init(
        request.number, .change(try Self.pin(request.parameters["pin"], orElse: configured)), name: name)
    case "garage/pin/delete":
      guard request.parameters["pin"] == nil else { throw Rejection(.invalid, "delete takes no pin") }
      self.init(request.number, .delete, name: name)
    default: throw Rejection(.unsupported, "a garage door answers no request of this name")
    }
  }

  private static func pin(_ value: Value?, orElse configured: GaragePIN?) throws(Rejection) -> GaragePIN {
    switch value {
    case nil:
      guard let configured else { throw Rejection(.invalid, "pin is missing") }
      return configured
    case .text(let text)?:
      guard let pin = GaragePIN(text) else {
        throw Rejection(.invalid, "pin is not five printable ASCII characters")
      }
      return pin
    default:
      throw Rejection(.invalid, "pin is not a text: a number loses its leading zeros, so it takes quotes")
    }
  }
}
