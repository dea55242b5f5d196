import DeviceModel

/// Requests that manage the board's PINs: one at a time, and none for a while after several wrong ones.
struct PINManagement: Sendable {
  /// The first is under way.
  private(set) var tasks: [PINTask] = []
  var lockOut = LockOut()
  /// Places in the board's table of PINs that were added by name.
  private(set) var names: [String: Int] = [:]

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

  mutating func recall(_ memory: GarageMemory) {
    lockOut = LockOut(wrongInARow: memory.wrongInARow, until: memory.lockedUntil)
    names = memory.names
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

  /// Forgets names whose places are free now.
  mutating func look(at table: PINTable) { look(at: table.pins.keys) }
  mutating func look(at places: some Sequence<Int>) { names = names.filter { places.contains($0.value) } }

  mutating func name(_ name: String, at index: Int?) { names[name] = index }

  /// Where the PIN of this name stands.
  func index(of name: String, _ persons: [Resident], in table: PINTable) -> Int? {
    if let person = persons.first(where: { $0.settings.name == name }),
      let index = table.index(of: person.pin)
    {
      return index
    }
    return names[name].flatMap { table.pins[$0] == nil ? nil : $0 }
  }

  /// Indices and names, for people to read; never a PIN.
  func list(_ table: PINTable, _ persons: [Resident]) -> Value {
    let entries = table.pins.sorted { $0.key < $1.key }.map { index, pin -> Value in
      let name =
        persons.first { $0.pin == pin }?.settings.name ?? names.first { $0.value == index }?.key
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
