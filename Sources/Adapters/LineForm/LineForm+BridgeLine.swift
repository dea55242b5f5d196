extension LineForm {
  /// What the bridge says in one line.
  enum BridgeLine: Hashable, Sendable {
    case whoAreYou
    /// All entities, or one.
    case describe(index: Int?)
    case greet(Token)
    case ping
    case `repeat`
    case command(sequence: UInt8, index: Int, Argument)
    case keepIdentity(Token)
    case goodbye

    /// What a command carries.
    enum Argument: Hashable, Sendable {
      /// Of a press.
      case none
      case number(Double, decimals: Int)
      case text(String)
      /// A row of a table, as JSON.
      case put(String)
      /// The row of this name, as a JSON text.
      case delete(String)
    }
  }
}

extension LineForm.BridgeLine {
  var body: [UInt8] {
    switch self {
    case .whoAreYou: Array("W".utf8)
    case .describe(nil): Array("D".utf8)
    case .describe(let index?): Array("D\(index)".utf8)
    case .greet(let token): Array("G".utf8) + token.digits
    case .ping: Array("P".utf8)
    case .repeat: Array("R".utf8)
    case .keepIdentity(let identity): Array("I".utf8) + identity.digits
    case .goodbye: Array("B".utf8)
    case .command(let sequence, let index, let argument):
      [UInt8(ascii: "C"), sequence] + Array("\(index)=".utf8) + argument.bytes
    }
  }

  /// As it goes over the wire.
  var bytes: [UInt8] { LineForm.framed(body) }
}

extension LineForm.BridgeLine.Argument {
  var bytes: [UInt8] {
    switch self {
    case .none: []
    case .number(let number, let decimals): Array(LineForm.text(of: number, decimals: decimals).utf8)
    case .text(let text): [UInt8(ascii: "\"")] + LineForm.escaped(text)
    case .put(let row): [UInt8(ascii: "p")] + LineForm.escaped(row)
    case .delete(let name): [UInt8(ascii: "d")] + LineForm.escaped(name)
    }
  }
}
