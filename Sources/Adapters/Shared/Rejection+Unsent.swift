import DeviceModel

extension Rejection {
  /// Of a command whose send the link could not carry, or whose answer was an error.
  ///
  /// - Parameter mayHaveArrived: The board may have obeyed all the same.
  static func unsent(_ reason: String, mayHaveArrived: Bool) -> Rejection {
    Rejection(
      .linkError,
      mayHaveArrived
        ? "the board may have obeyed all the same: \(reason)" : "not sent: \(reason)")
  }
}
