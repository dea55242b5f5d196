/// Data without a type of its own: what a property holds, what a command carries, what a JSON text means.
///
/// The one vocabulary between adapters, the bridge and discovery; the target JSON reads and writes it.
public indirect enum Value: Hashable, Sendable {
  /// Not known, or JSON `null`. Never a made-up 0.
  case unknown
  case boolean(Bool)
  case integer(Int)
  /// Finite, or it is reported as ``unknown``.
  case number(Double)
  case text(String)
  case list([Value])
  case object(Members)

  /// The members of an object in the order in which they were written; names are unique.
  public struct Members: Hashable, Sendable {
    public private(set) var pairs: [(name: String, value: Value)] = []

    public init() {}

    /// A later member of the same name replaces an earlier one in its place.
    public init(_ pairs: [(String, Value)]) {
      var places: [String: Int] = [:]
      places.reserveCapacity(pairs.count)
      for (name, value) in pairs {
        if let place = places[name] {
          self.pairs[place].value = value
        } else {
          places[name] = self.pairs.count
          self.pairs.append((name, value))
        }
      }
    }

    public var count: Int { pairs.count }
    public var isEmpty: Bool { pairs.isEmpty }
    public var names: [String] { pairs.map(\.name) }

    /// Setting nil removes the member.
    public subscript(name: String) -> Value? {
      get { pairs.first { $0.name == name }?.value }
      set {
        let index = pairs.firstIndex { $0.name == name }
        switch (index, newValue) {
        case (let index?, let value?): pairs[index].value = value
        case (let index?, nil): pairs.remove(at: index)
        case (nil, let value?): pairs.append((name, value))
        case (nil, nil): break
        }
      }
    }

    public static func == (left: Members, right: Members) -> Bool {
      left.pairs.elementsEqual(right.pairs) { $0.name == $1.name && $0.value == $1.value }
    }

    public func hash(into hasher: inout Hasher) {
      for (name, value) in pairs {
        hasher.combine(name)
        hasher.combine(value)
      }
    }
  }
}

extension Value.Members: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral elements: (String, Value)...) { self.init(elements) }
}

extension Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  public init(stringLiteral text: String) { self = .text(text) }
  public init(integerLiteral integer: Int) { self = .integer(integer) }
  public init(floatLiteral number: Double) { self = .number(number) }
  public init(booleanLiteral boolean: Bool) { self = .boolean(boolean) }
  public init(nilLiteral: ()) { self = .unknown }
  public init(arrayLiteral elements: Value...) { self = .list(elements) }
  public init(dictionaryLiteral elements: (String, Value)...) { self = .object(Members(elements)) }
}

extension Value {
  public var asText: String? { if case .text(let text) = self { text } else { nil } }
  public var asInteger: Int? { if case .integer(let integer) = self { integer } else { nil } }
  /// Of an integer too.
  public var asNumber: Double? {
    switch self {
    case .integer(let integer): Double(integer)
    case .number(let number): number
    default: nil
    }
  }
}
