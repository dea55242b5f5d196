/// A stream as a link may deliver it. The first byte says how large the pieces are.
struct Pieces {
  let whole: [UInt8]
  let parts: [[UInt8]]

  init(_ input: [UInt8]) {
    let size = Int(input.first ?? 0) % 64 + 1
    let whole = Array(input.dropFirst())
    self.whole = whole
    parts = stride(from: 0, to: whole.count, by: size).map { Array(whole[$0..<min($0 + size, whole.count)]) }
  }
}
