extension LineForm {
  /// Finds the lines in a stream of any bytes. No damage reaches further than the next mark.
  struct Reader: Sendable {
    private let limit: Int
    private var state = State.between
    private var line: [UInt8] = []

    /// What becomes of the bytes.
    enum Piece: Hashable, Sendable {
      /// The body of a line whose checksum is right.
      case line([UInt8])
      /// A line that was begun, with so many bytes so far, its mark included.
      case dropped(bytes: Int, Fault)
      /// They belong to no line.
      case outside([UInt8])
    }

    enum Fault: String, Hashable, Sendable, CaseIterable {
      case interrupted
      case tooShort = "too short"
      case checksum = "wrong checksum"
      case controlCharacter = "control character"
      case tooLong = "too long"
    }

    private enum State: Hashable, Sendable { case between, reading, ending, skipping }

    /// - Parameter limit: The longest line, body and checksum, in bytes.
    init(limit: Int = LineForm.longestLine) { self.limit = limit }

    var isBetweenLines: Bool { state == .between }
    /// Bytes of a line that has not ended.
    var pending: Int { state == .reading || state == .ending ? line.count + 1 : 0 }

    mutating func reset() {
      state = .between
      line.removeAll(keepingCapacity: true)
    }

    mutating func receive(_ bytes: some Sequence<UInt8>, into pieces: inout [Piece]) {
      var outside: [UInt8] = []
      for byte in bytes {
        if state == .between, byte != LineForm.mark {
          outside.append(byte)
          continue
        }
        if !outside.isEmpty {
          pieces.append(.outside(outside))
          outside.removeAll(keepingCapacity: true)
        }
        if let piece = take(byte) { pieces.append(piece) }
      }
      if !outside.isEmpty { pieces.append(.outside(outside)) }
    }

    mutating func take(_ byte: UInt8) -> Piece? {
      switch (state, byte) {
      case (.reading, LineForm.mark), (.ending, LineForm.mark):
        let piece = drop(.interrupted)
        begin()
        return piece
      case (_, LineForm.mark):
        begin()
        return nil
      case (.between, _): return .outside([byte])
      case (.skipping, LineForm.end):
        state = .between
        return nil
      case (.skipping, _): return nil
      case (_, LineForm.end): return finish()
      case (.reading, 0x0D):
        state = .ending
        return nil
      case (.ending, _), (.reading, ..<0x20), (.reading, 0x7F):
        state = .skipping
        return drop(.controlCharacter)
      case (.reading, _):
        guard line.count < limit else {
          state = .skipping
          return drop(.tooLong)
        }
        line.append(byte)
        return nil
      }
    }

    private mutating func begin() {
      state = .reading
      line.removeAll(keepingCapacity: true)
    }

    private func drop(_ fault: Fault) -> Piece { .dropped(bytes: line.count + 1, fault) }

    private mutating func finish() -> Piece {
      state = .between
      guard line.count >= 5 else { return drop(.tooShort) }
      let body = line.dropLast(4)
      guard Checksum.digits(of: body).elementsEqual(line.suffix(4)) else { return drop(.checksum) }
      return .line(Array(body))
    }
  }
}
