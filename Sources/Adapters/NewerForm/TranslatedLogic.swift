import DeviceModel

/// An adapter whose logic stands above the board's older form, and can as well be spoken in lines.
protocol TranslatedLogic: Adapter {
  /// What newer boards have besides, in the words of the kind.
  static var additions: [Property] { get }
  /// What a packet of the older form is in lines; nil for what is nothing there.
  func command(for packet: [UInt8]) -> Command?
  /// What the board is asked in lines for a command of an addition.
  func prepared(_ addition: Command, for board: LineForm.Board) throws(Rejection) -> [Command]
  /// Whether this may be said in the older form over a stream, where its packets may run together.
  func mayRunTogether(_ batch: CommandBatch) -> Bool
  /// The board has said something in lines.
  mutating func heard(at now: Duration)
  /// A value that the board has told in lines, of an addition too.
  mutating func take(_ key: PropertyKey, _ value: Value, at now: Moment, into outputs: inout [Output])
}

extension TranslatedLogic {
  func mayRunTogether(_ batch: CommandBatch) -> Bool { true }
  func prepared(_ addition: Command, for board: LineForm.Board) throws(Rejection) -> [Command] { [addition] }
}
